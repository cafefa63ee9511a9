//! The JSON schema of the TOML settings, and the test that the one in the repository is current.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::Value;

use crate::sys::env::Environment;

use super::asv_keys::KEYS;
use super::toml_file::TomlFile;
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

/// The documentation of the configuration.
const DOCUMENT: &str = include_str!("../../docs/configuration.md");

#[test]
fn the_documented_example_is_one_that_is_read() {
    let (_, rest) = DOCUMENT.split_once("```toml\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let path = std::path::Path::new("docs/configuration.md");
    let file = TomlFile::of_own_file(path, example.to_owned()).unwrap();
    assert_eq!(file.report().unwrap().benchmarks.len(), 2);
    assert_eq!(file.limits().unwrap().better_by_unit.len(), 2);
}

#[test]
fn every_key_is_documented() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let mut missing = Vec::new();
    for (key, property) in schema["properties"].as_object().unwrap() {
        let reference = property.pointer("/allOf/0/$ref").and_then(Value::as_str);
        let table = reference.and_then(|place| schema.pointer(&place[1..]));
        let names: Vec<String> = match table.and_then(|table| table["properties"].as_object()) {
            Some(inner) => inner
                .keys()
                .map(|inner| format!("`{key}.{inner}`"))
                .collect(),
            None => vec![format!("`{key}")],
        };
        missing.extend(names.into_iter().filter(|name| !DOCUMENT.contains(name)));
    }
    for key in KEYS {
        let name = format!("`{}`", key.name);
        if key.name != "version" && key.name != "wheel_cache_size" && !DOCUMENT.contains(&name) {
            missing.push(name);
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}
