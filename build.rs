//! Embeds the dashboard's page, if it was bundled before (`npm ci && npm run build` in `web/`).

use std::path::Path;
use std::{env, fs};

#[expect(
    clippy::disallowed_methods,
    reason = "a build script has neither settings nor dependencies"
)]
fn main() {
    // The folder is always there, so that this runs again only when something in it changes.
    println!("cargo::rerun-if-changed=web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR").expect("cargo names a folder for what is generated");
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist");
    let (script, style) = (dist.join("app.js"), dist.join("app.css"));
    let bundle = if script.is_file() && style.is_file() {
        let [script, style] = [script, style].map(|path| format!("{:?}", path.to_string_lossy()));
        format!("Some((include_str!({script}), include_str!({style})))")
    } else {
        "None".to_owned()
    };
    let text = format!(
        "/// Script and style of the page.\nconst BUNDLE: Option<(&str, &str)> = {bundle};\n"
    );
    fs::write(Path::new(&out).join("page.rs"), text).expect("the generated file can be written");
}
