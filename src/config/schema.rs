//! The JSON schema of the TOML settings, and the test that the one in the repository is current.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::Value;

use crate::sys::env::Environment;

use super::toml_model::TomlSettings;

/// TOML has no null: what is optional is left out.
#[derive(Clone)]
struct WithoutNull;

impl Transform for WithoutNull {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        if let Some(Value::Array(types)) = schema.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = &types[..] {
                let only = only.clone();
                schema.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
            choices.retain(|choice| choice.get("type") != Some(&"null".into()));
            if choices.len() == 1 {
                // Draft 7 passes over what stands beside a `$ref`; inside `allOf` it does not.
                let only = choices.clone();
                schema.remove("anyOf");
                schema.insert("allOf".to_owned(), only.into());
            }
        }
        if schema.get("default") == Some(&Value::Null) {
            schema.remove("default");
        }
    }
}

fn schema() -> String {
    let generator = SchemaSettings::draft07()
        .with(|settings| settings.transforms.push(Box::new(WithoutNull)))
        .into_generator();
    let schema = generator.into_root_schema_for::<TomlSettings>();
    format!("{}\n", serde_json::to_string_pretty(&schema).unwrap())
}

#[test]
fn the_schema_in_the_repository_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/lcmbench.schema.json");
    if Environment::of_process().is_set("LCMBENCH_UPDATE_SCHEMA") {
        fs_err::write(path, schema()).unwrap();
        return;
    }
    let stored = fs_err::read_to_string(path).unwrap_or_default();
    assert!(
        stored == schema(),
        "lcmbench.schema.json is not current; run `LCMBENCH_UPDATE_SCHEMA=1 cargo test schema` \
         and commit the file"
    );
}

#[test]
fn the_schema_describes_every_key_and_forbids_others() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    assert_eq!(schema["additionalProperties"], Value::Bool(false));
    let properties = schema["properties"].as_object().unwrap();
    for (key, property) in properties {
        let described = property.get("description").is_some();
        assert!(described, "`{key}` has no description");
    }
    assert!(properties.contains_key("main-branch"));
    assert_eq!(properties["package"]["type"], "string");
    assert_eq!(properties["share-setup"]["type"], "boolean");
}
