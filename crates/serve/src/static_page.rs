//! The page as static files, with the engine for browsers.

use std::borrow::Cow;

use serde_json::json;
use setpoint_report::document::Document;
use sha2::{Digest, Sha256};

use crate::lecture::Lecture;
use crate::{assets, gallery};

/// Permits the style that the editor adds. It is not secret, but scripts of other origins cannot run on this page.
const NONCE: &str = "editor";

/// The place of the views. Browsers do not load modules from files, so on a page that was opened as a file the explanation remains;
/// otherwise the first view replaces it before it appears.
const EXPLAINED: &str = "<main id=\"view\" tabindex=\"-1\"><p class=\"page unopened\">The laboratory does not work as a file. Open \
    it from a file server, for example with <code>python3 -m http.server</code> in the folder of the site.</p></main>";

/// The engine for browsers: its WebAssembly, and the JavaScript through which the page calls it.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The WebAssembly.
    pub wasm: Vec<u8>,
    /// The JavaScript.
    pub script: Vec<u8>,
}

/// The files of a page that runs the engine in the browser, by their paths. All addresses in them are relative. The header of the
/// page links to other pages, each given by its title and its address relative to the page.
#[must_use]
pub fn static_page(engine: Engine, others: &[(&str, String)]) -> Vec<(String, Cow<'static, [u8]>)> {
    let gallery = gallery::with_results(&json!(null), &[Lecture::built_in().clone()]).to_string();
    let mut files = vec![
        ("index.html".to_owned(), Cow::Owned(index(others).into_bytes())),
        ("gallery.json".to_owned(), Cow::Owned(gallery.into_bytes())),
        ("schema.json".to_owned(), Cow::Owned(setpoint_scenario::schema().to_string().into_bytes())),
        ("assets/engine.js".to_owned(), Cow::Owned(engine.script)),
        ("assets/engine.wasm".to_owned(), Cow::Owned(engine.wasm)),
    ];
    files.extend(
        assets::all().map(|(path, content)| (format!("assets/{path}"), Cow::Borrowed(content.as_bytes()))),
    );
    files
}

fn index(others: &[(&str, String)]) -> String {
    let link = |(title, address): &(&str, String)| format!("<a href=\"{address}\">{title}</a>\n");
    let policy = format!(
        "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">",
        policy()
    );
    assets::INDEX
        .replacen("<meta charset=\"utf-8\">", &policy, 1)
        .replace("{style-nonce}", NONCE)
        .replace("{address}", "")
        .replace("<main id=\"view\" tabindex=\"-1\"></main>", EXPLAINED)
        .replace("{site}", &others.iter().map(link).collect::<String>())
        .replace(
            "name=\"setpoint-engine\" content=\"server\"",
            "name=\"setpoint-engine\" content=\"browser\"",
        )
        .replace("=\"/assets/", "=\"assets/")
}

/// The page may load its own files, and compile the engine. Documents of theory, which it opens in frames, inherit its policy,
/// so it also permits their style and their script.
fn policy() -> String {
    let document = Document::default().html();
    let [styles, scripts] = ["style", "script"].map(|element| hashes(&document, element));
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{scripts}; style-src 'self' 'nonce-{NONCE}'{styles}; \
         img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; frame-src blob:; base-uri 'none'; form-action 'none'"
    )
}

/// The hashes of all elements with this name, as sources of a policy.
fn hashes(document: &str, element: &str) -> String {
    let (begin, end) = (format!("<{element}>"), format!("</{element}>"));
    let contents = document.split(&begin).skip(1).filter_map(|rest| rest.split_once(&end));
    contents.map(|(content, _)| format!(" 'sha256-{}'", base64(&Sha256::digest(content)))).collect()
}

fn base64(octets: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |octets: &[u8]| {
        let bits =
            (0..3).fold(0, |bits, place| bits << 8 | usize::from(octets.get(place).copied().unwrap_or(0)));
        let digit = |place: usize| match place <= octets.len() {
            true => char::from(DIGITS[bits >> (18 - 6 * place) & 63]),
            false => '=',
        };
        (0..4).map(digit).collect::<String>()
    };
    octets.chunks(3).map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_contains_only_relative_addresses() {
        let index = index(&[("League", "../league/index.html".to_owned())]);
        assert!(
            index.contains("<a href=\"../league/index.html\">League</a>")
                && index.contains("class=\"page unopened\"")
        );
        assert!(index.contains("content=\"browser\"") && index.contains("wasm-unsafe-eval"));
        assert!(!index.contains("=\"/") && !index.contains("style-nonce}"), "{index}");
    }

    #[test]
    fn the_policy_permits_only_own_files_the_engine_and_the_documents_of_theory() {
        // The hashes change with the style and the script of documents.
        let hidden = |word: &str| match word.starts_with("'sha256-") {
            true => format!("'sha256-…'{}", &word[word.len() - usize::from(word.ends_with(';'))..]),
            false => word.to_owned(),
        };
        assert_eq!(
            policy().split(' ').map(hidden).collect::<Vec<_>>().join(" "),
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-…'; style-src 'self' 'nonce-editor' 'sha256-…'; \
             img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; frame-src blob:; base-uri 'none'; form-action 'none'"
        );
    }

    #[test]
    fn hashes_are_in_base64() {
        assert_eq!(
            ["", "M", "Ma", "Man", "Many"].map(|text| base64(text.as_bytes())),
            ["", "TQ==", "TWE=", "TWFu", "TWFueQ=="]
        );
        assert_eq!(
            hashes("<style></style><script>1</script><script type=\"application/json\">2</script>", "style"),
            " 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
        );
        assert_eq!(policy().matches("'sha256-").count(), 2);
    }

    #[test]
    fn every_address_in_the_page_is_a_file() {
        let files = static_page(Engine { wasm: Vec::new(), script: Vec::new() }, &[]);
        let index = index(&[]);
        let addresses = index.split('"').filter(|part| part.starts_with("assets/"));
        let missing: Vec<&str> =
            addresses.filter(|address| files.iter().all(|(path, _)| path != address)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
