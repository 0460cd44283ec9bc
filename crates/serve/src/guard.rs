//! Admission of requests, and restrictions on how browsers may use the responses.
//!
//! A page of another site can make a browser send requests to this machine. Such requests are refused: by the `Host`
//! header, which shows the name under which the browser reached the server (a name of another site may resolve to this
//! machine), and by `Origin` and `Sec-Fetch-Site`, which show the page that sent the request. A server that other
//! machines can reach also requires its token.

use std::borrow::Cow;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect, Response};

use crate::answer::Refusal;
use crate::door::Seat;

/// The page may load its own scripts, styles and data, and nothing else.
const PAGE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
                    frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Reports contain their own script and style. They run isolated from this server, and cannot send requests to it.
const REPORT: &str = "sandbox allow-scripts allow-downloads allow-modals; default-src 'none'; script-src 'unsafe-inline'; \
                      style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'self'";
const COOKIE_NAME: &str = "setpoint-token";

/// The rules of one server.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The address at which the server listens.
    pub(crate) address: SocketAddr,
    /// The token that requests must contain if other machines can reach the server.
    pub(crate) token: Option<String>,
}

/// Checks a request before it is answered, and adds security headers to the response.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let from = match guard.admit(request.method(), request.headers(), request.uri().query()) {
        Ok(from) => from,
        Err(refusal) if refusal.status == StatusCode::UNAUTHORIZED && opens_document(&request) => {
            return token_page(&refusal);
        }
        Err(refusal) => return marked(refusal.into_response()),
    };
    if let Some(seat) = request.extensions().get::<Arc<Seat>>() {
        seat.admit();
    }
    let mut response = match guard.shorter_address(&request) {
        Some(address) => Redirect::to(&address).into_response(),
        None => next.run(request).await,
    };
    // A link in another site's page may lead here. A strict cookie would not be sent after the redirect.
    if let (Visitor::New, Some(token)) = (from, &guard.token)
        && let Ok(cookie) =
            HeaderValue::from_str(&format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Lax; Path=/"))
    {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    marked(response)
}

/// Whether a browser shows the response to its user.
fn opens_document(request: &Request) -> bool {
    let accepted = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    request.method() == Method::GET && accepted.is_some_and(|kinds| kinds.contains("text/html"))
}

/// A page that asks for the token. It keeps the fragment of the address, which the server never receives.
fn token_page(refusal: &Refusal) -> Response {
    let Ok(nonce) = new_token() else { return marked(refusal.clone().into_response()) };
    let page = include_str!("token.html").replace("{nonce}", &nonce);
    let mut response = marked((refusal.status, Html(page)).into_response());
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Marks a response, in its extensions, as this server's page or one of its files.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnPage {
    /// The nonce of the style elements that the page's scripts may add: CodeMirror adds one.
    pub(crate) style_nonce: Option<String>,
}

/// The policy of the page. A nonce permits the style elements that carry it.
fn page_policy(own: Option<&OwnPage>) -> Cow<'static, str> {
    match own.and_then(|own| own.style_nonce.as_ref()) {
        Some(nonce) => PAGE.replace("style-src 'self'", &format!("style-src 'self' 'nonce-{nonce}'")).into(),
        None => PAGE.into(),
    }
}

/// Whether a response is a document that may contain untrusted scripts. The page itself is trusted; results are not.
fn is_foreign_document(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let is_document = [&b"text/html"[..], b"image/svg+xml"].iter().any(|active| kind.starts_with(active));
    is_document && response.extensions().get::<OwnPage>().is_none()
}

fn marked(mut response: Response) -> Response {
    let policy = match is_foreign_document(&response) {
        true => REPORT.into(),
        false => page_policy(response.extensions().get()),
    };
    let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(REPORT));
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Whether a client has presented the token for the first time with this request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visitor {
    New,
    Known,
}

impl Guard {
    fn admit(&self, method: &Method, headers: &HeaderMap, query: Option<&str>) -> Result<Visitor, Refusal> {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let host = text(HOST).ok_or_else(|| Refusal::bad("the request has no Host header"))?;
        if !self.is_own_name(host) {
            return Err(Refusal::forbidden(format!(
                "this server is not {host:?}; open it at the address that it printed"
            )));
        }
        let elsewhere = || Refusal::forbidden("the request comes from a page of another site");
        if text(ORIGIN).is_some_and(|origin| origin != format!("http://{host}")) {
            return Err(elsewhere());
        }
        // A link from another site may open the page, but a page there may not send other requests.
        let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
        let opens =
            headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate") && method == Method::GET;
        if site.is_some_and(|site| !matches!(site, "same-origin" | "none")) && !opens {
            return Err(elsewhere());
        }
        self.check_token(headers, query)
    }

    /// Whether a Host header names this server: its address, or a name of this machine.
    fn is_own_name(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let ip = self.address.ip();
        let is_ours = match name {
            "localhost" | "127.0.0.1" | "[::1]" => ip.is_loopback() || ip.is_unspecified(),
            // With a token, the name does not matter: the token proves that the request is intended for this server.
            _ => self.token.is_some() || name == ip.to_string() || name == format!("[{ip}]"),
        };
        is_ours && port == Some(self.address.port())
    }

    fn check_token(&self, headers: &HeaderMap, query: Option<&str>) -> Result<Visitor, Refusal> {
        let Some(token) = &self.token else { return Ok(Visitor::Known) };
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        if pairs.any(|(name, value)| name == COOKIE_NAME && is_equal(value, token)) {
            return Ok(Visitor::Known);
        }
        let mut given = query.unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
        match given.any(|(name, value)| name == "token" && is_equal(value, token)) {
            true => Ok(Visitor::New),
            false => Err(Refusal::new(
                StatusCode::UNAUTHORIZED,
                "this server requires a token; open the address that it printed",
            )),
        }
    }
}

impl Guard {
    /// The address of the page without the token, if it was opened with one: the token must not stay in the address bar or
    /// in the history of the browser.
    fn shorter_address(&self, request: &Request) -> Option<String> {
        let opens_page = request.method() == Method::GET && request.uri().path() == "/";
        let query = request.uri().query().filter(|_| opens_page && self.token.is_some())?;
        let is_token = |pair: &&str| pair.split('=').next() == Some("token");
        query.split('&').find(is_token)?;
        let rest: Vec<&str> = query.split('&').filter(|pair| !is_token(pair)).collect();
        Some(if rest.is_empty() { "/".to_owned() } else { format!("/?{}", rest.join("&")) })
    }
}

/// Compares in constant time, regardless of the position of the first difference.
fn is_equal(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    given.len() == token.len() && differences == 0
}

/// A token that cannot be guessed.
pub(crate) fn new_token() -> Result<String, getrandom::Error> {
    let mut octets = [0; 16];
    getrandom::fill(&mut octets)?;
    Ok(octets.iter().map(|octet| format!("{octet:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, token: Option<&str>) -> Guard {
        Guard { address: address.parse().unwrap(), token: token.map(str::to_owned) }
    }

    fn admit(
        guard: &Guard,
        headers: &[(&'static str, &str)],
        query: Option<&str>,
    ) -> Result<Visitor, StatusCode> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, HeaderValue::from_str(value).unwrap());
        }
        guard.admit(&Method::POST, &map, query).map_err(|refusal| refusal.status)
    }

    #[test]
    fn other_hosts_and_origins_are_refused() {
        let guard = guard("127.0.0.1:8642", None);
        for host in ["127.0.0.1:8642", "localhost:8642", "[::1]:8642"] {
            assert_eq!(admit(&guard, &[("host", host)], None), Ok(Visitor::Known), "{host}");
        }
        for host in ["evil.example:8642", "127.0.0.1:80", "127.0.0.1", "localhost:8642.evil.example", ""] {
            assert_eq!(admit(&guard, &[("host", host)], None), Err(StatusCode::FORBIDDEN), "{host}");
        }
        assert_eq!(admit(&guard, &[], None), Err(StatusCode::BAD_REQUEST));
        let own = ("host", "localhost:8642");
        for origin in ["http://evil.example", "null", "https://localhost:8642", "http://127.0.0.1:8642"] {
            assert_eq!(
                admit(&guard, &[own, ("origin", origin)], None),
                Err(StatusCode::FORBIDDEN),
                "{origin}"
            );
        }
        assert!(admit(&guard, &[own, ("origin", "http://localhost:8642")], None).is_ok());
        for site in ["cross-site", "same-site"] {
            assert_eq!(
                admit(&guard, &[own, ("sec-fetch-site", site)], None),
                Err(StatusCode::FORBIDDEN),
                "{site}"
            );
        }
    }

    #[test]
    fn a_server_for_others_asks_for_its_token() {
        let guard = guard("0.0.0.0:8642", Some("0123abcd"));
        let own = ("host", "lab.example:8642");
        assert_eq!(admit(&guard, &[own], None), Err(StatusCode::UNAUTHORIZED));
        assert_eq!(admit(&guard, &[own], Some("token=0123abcx")), Err(StatusCode::UNAUTHORIZED));
        assert_eq!(admit(&guard, &[own], Some("a=b&token=0123abcd")), Ok(Visitor::New));
        assert_eq!(
            admit(&guard, &[own, ("cookie", "x=y; setpoint-token=0123abcd")], None),
            Ok(Visitor::Known)
        );
        assert_eq!(admit(&guard, &[own, ("cookie", "setpoint-token=")], None), Err(StatusCode::UNAUTHORIZED));
    }

    #[test]
    fn the_token_leaves_the_address_of_the_page() {
        let guard = guard("0.0.0.0:8642", Some("0123abcd"));
        let shorter = |method: Method, path: &str| {
            let request =
                Request::builder().method(method).uri(path).body(axum::body::Body::empty()).unwrap();
            guard.shorter_address(&request)
        };
        assert_eq!(shorter(Method::GET, "/?token=0123abcd").as_deref(), Some("/"));
        assert_eq!(shorter(Method::GET, "/?a=b&token=x&c=d").as_deref(), Some("/?a=b&c=d"));
        assert_eq!(shorter(Method::GET, "/?tokens=x"), None);
        assert_eq!(shorter(Method::GET, "/api/gallery?token=0123abcd"), None, "programs get their answer");
        assert_eq!(shorter(Method::POST, "/?token=0123abcd"), None);
    }

    #[test]
    fn documents_are_in_a_sandbox_except_the_page() {
        let policy = |kind: &'static str| {
            let response = marked(([(CONTENT_TYPE, kind)], "").into_response());
            response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
        };
        for kind in ["text/html", "text/html; charset=utf-8", "image/svg+xml"] {
            assert!(policy(kind).starts_with("sandbox"), "{kind}");
        }
        assert!(!policy("application/json").starts_with("sandbox"));
        let own = |style_nonce: Option<&str>| {
            let own = OwnPage { style_nonce: style_nonce.map(str::to_owned) };
            let page = marked((axum::Extension(own), axum::response::Html("")).into_response());
            page.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
        };
        assert_eq!(own(None), PAGE);
        assert!(own(Some("0a")).contains("style-src 'self' 'nonce-0a'; img-src"));
        assert!(!own(Some("0a")).contains("unsafe"));
    }

    #[test]
    fn tokens_differ() {
        let (one, other) = (new_token().unwrap(), new_token().unwrap());
        assert!(one.len() == 32 && one != other);
    }
}
