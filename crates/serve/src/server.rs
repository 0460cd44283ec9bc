//! The server: its address, its routes and its shutdown.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, FromRef};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use thiserror::Error;

use crate::answer::Refusal;
use crate::assets::SharedAddress;
use crate::desk::Desk;
use crate::door::{self, whole_body};
use crate::guard::{Guard, guard, new_token};
use crate::lecture::Lecture;
use crate::limits::Limits;
use crate::runs::{self, Runs};
use crate::theory::Pages;
use crate::{assets, check, gallery, results, theory};

/// The default port.
const PORT: u16 = 8642;
/// The number of ports that are tried if the first is in use.
const TRIED: u16 = 20;
/// Interval at which the server checks whether it must stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Maximum time for runs to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address at which to listen.
    pub address: IpAddr,
    /// The port; if none is given, a free one near 8642.
    pub port: Option<u16>,
    /// The folder with earlier results.
    pub results: PathBuf,
    /// A lecture to show in addition to the built-in one.
    pub lecture: Option<Lecture>,
    /// The limits of the server.
    pub limits: Limits,
}

impl Settings {
    /// Settings for users of this machine only.
    #[must_use]
    pub fn local(results: PathBuf) -> Self {
        let address = Ipv4Addr::LOCALHOST.into();
        Self { address, port: None, results, lecture: None, limits: Limits::default() }
    }
}

/// The reason why the server could not be started or failed.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages show the fields")]
pub enum ServeError {
    /// The address is in use or does not belong to this machine.
    #[error("cannot listen at {address}: {error}; choose another port with `--port`")]
    Listen { address: SocketAddr, error: io::Error },
    /// The system could not provide random numbers for a token.
    #[error("cannot make a token: {0}")]
    Token(getrandom::Error),
    /// The folder for the files of runs could not be created.
    #[error("cannot create a folder for the files of runs: {0}; set TMPDIR to another folder")]
    Folder(io::Error),
    /// The system failed.
    #[error("the server failed: {0}")]
    Failed(#[from] io::Error),
}

/// State that all requests share. Each request extracts only the parts that it needs.
#[derive(Clone, Debug)]
struct App {
    limits: Limits,
    results: Arc<Path>,
    lectures: Arc<[Lecture]>,
    shared: SharedAddress,
    runs: Arc<Runs>,
    pages: Arc<Pages>,
    desk: Desk,
}

macro_rules! parts {
    ($($field:ident: $part:ty),+) => {
        $(impl FromRef<App> for $part {
            fn from_ref(app: &App) -> Self {
                app.$field.clone()
            }
        })+
    };
}

parts!(limits: Limits, results: Arc<Path>, lectures: Arc<[Lecture]>, shared: SharedAddress, runs: Arc<Runs>, pages: Arc<Pages>, desk: Desk);

/// A server that listens, but does not respond yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    guard: Guard,
    app: App,
}

impl Server {
    /// Listens at the requested address. A server that other machines can reach gets a token.
    ///
    /// # Errors
    /// Returns an error if the address cannot be used.
    pub fn bind(settings: Settings) -> Result<Self, ServeError> {
        let listener = listen(settings.address, settings.port)?;
        let address = listener.local_addr()?;
        let token = match address.ip().is_loopback() {
            true => None,
            false => Some(new_token().map_err(ServeError::Token)?),
        };
        let runs = Runs::new(settings.limits, &std::env::temp_dir()).map_err(ServeError::Folder)?;
        let (limits, results, pages) = (settings.limits, settings.results.into(), Arc::default());
        let lectures = settings.lecture.into_iter().chain([Lecture::built_in().clone()]).collect();
        let shared = SharedAddress(token.is_some().then(|| base(address).into()));
        let app = App { limits, results, lectures, shared, runs, pages, desk: Desk::new() };
        Ok(Self { listener, guard: Guard { address, token }, app })
    }

    /// The address to open, with the token if there is one. If the server listens at all addresses, other machines can
    /// open it too.
    #[must_use]
    pub fn url(&self) -> String {
        let base = base(self.guard.address);
        match &self.guard.token {
            Some(token) => format!("{base}?token={token}"),
            None => base,
        }
    }

    /// Whether requests must contain the token.
    #[must_use]
    pub fn asks_for_token(&self) -> bool {
        self.guard.token.is_some()
    }

    /// Answers requests until `stops` returns true. Runs end with the server, and their files are removed.
    ///
    /// # Errors
    /// Returns an error if the system fails.
    pub fn run(self, stops: impl Fn() -> bool + Send + 'static) -> Result<(), ServeError> {
        let Self { listener, guard, app } = self;
        listener.set_nonblocking(true)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::select! {
                () = door::serve(listener, router(app.clone(), guard), app.limits.connections) => {}
                () = until(stops) => {}
            }
            Ok::<(), io::Error>(())
        })?;
        app.runs.end();
        runtime.block_on(async {
            let ended = async {
                while app.runs.count() > 0 {
                    tokio::time::sleep(LOOK_EVERY / 10).await;
                }
            };
            // A run that does not end in time ends with the program.
            let _ = tokio::time::timeout(PATIENCE, ended).await;
        });
        runtime.shutdown_background();
        Ok(())
    }
}

/// The address of the page, which other machines can open unless the server listens only for this one.
fn base(address: SocketAddr) -> String {
    let shown = match address.ip().is_unspecified() {
        true => SocketAddr::new(own_address(address).unwrap_or(Ipv4Addr::LOCALHOST.into()), address.port()),
        false => address,
    };
    format!("http://{shown}/")
}

/// The address at which other machines reach this one: the one that the system would use as the source of packets. No
/// packet is sent. `None` if no network is connected.
fn own_address(listening: SocketAddr) -> Option<IpAddr> {
    // Addresses for documentation (RFC 5737 and RFC 3849): any that is not local will do.
    let (from, to) = match listening {
        SocketAddr::V4(_) => ("0.0.0.0:0", "192.0.2.1:9"),
        SocketAddr::V6(_) => ("[::]:0", "[2001:db8::1]:9"),
    };
    let socket = UdpSocket::bind(from).ok()?;
    socket.connect(to).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
}

async fn until(stops: impl Fn() -> bool) {
    while !stops() {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn listen(address: IpAddr, port: Option<u16>) -> Result<TcpListener, ServeError> {
    let failed = |port| move |error| ServeError::Listen { address: SocketAddr::new(address, port), error };
    if let Some(port) = port {
        return TcpListener::bind((address, port)).map_err(failed(port));
    }
    let mut free = (PORT..PORT + TRIED).filter_map(|port| TcpListener::bind((address, port)).ok());
    match free.next() {
        Some(listener) => Ok(listener),
        None => TcpListener::bind((address, PORT)).map_err(failed(PORT)),
    }
}

fn router(app: App, rules: Guard) -> Router {
    // JSON escapes at most double the size of text.
    let most = app.limits.scenario * 2 + 10_000;
    Router::new()
        .route("/", get(assets::index))
        .route("/assets/{*path}", get(assets::asset))
        .route("/api/gallery", get(gallery::gallery))
        .route("/api/schema", get(assets::schema))
        .route("/api/check", post(check::check))
        .route("/api/theory", post(theory::theory))
        .route("/api/runs", post(runs::start))
        .route("/api/runs/{id}", post(runs::order))
        .route("/api/runs/{id}/{name}", get(results::of_run))
        .route("/pages/{number}", get(theory::page))
        .route("/results/{*path}", get(results::stored))
        .fallback(|| async { Refusal::not_found("there is nothing at this address") })
        .layer(DefaultBodyLimit::max(most))
        .layer(from_fn_with_state((app.limits.connections.body, most), whole_body))
        .layer(from_fn_with_state(rules, guard))
        .with_state(app)
}
