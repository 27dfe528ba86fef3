//! One client for each bucket or server.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use asdf_core::{Error, Result};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, resolve_bucket_region};
use object_store::azure::MicrosoftAzureBuilder;
use object_store::client::{HttpClient, HttpConnector as _};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::{ObjectStore, RetryConfig};

use crate::address::{Address, Kind};
use crate::aws_profile::{Keys, Process, Profile};
use crate::client::{Counting, options};
use crate::environment::Environment;
use crate::error::from_store;
use crate::runtime;
use crate::settings::Settings;

/// The clients, which keep their connections.
#[derive(Debug, Default)]
pub(crate) struct Stores {
    buckets: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
    web: Mutex<Option<HttpClient>>,
}

/// Three tries, of which none begins after the timeout.
fn retries(timeout: Duration) -> RetryConfig {
    RetryConfig { max_retries: 2, retry_timeout: timeout, ..RetryConfig::default() }
}

impl Stores {
    /// The client for web servers.
    pub(crate) fn web(&self, settings: &Settings, counting: &Counting) -> Result<HttpClient> {
        let mut web = self.web.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = &*web {
            return Ok(client.clone());
        }
        let client = counting.connect(&options(settings.timeout)).map_err(from_store)?;
        *web = Some(client.clone());
        Ok(client)
    }

    /// The client for the bucket of an address.
    pub(crate) fn bucket(
        &self,
        address: &Address,
        settings: &Settings,
        counting: &Counting,
    ) -> Result<Arc<dyn ObjectStore>> {
        // Locked meanwhile, so that it is made once.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = buckets.get(&address.origin) {
            return Ok(store.clone());
        }
        let store: Arc<dyn ObjectStore> = match address.kind {
            Kind::S3 => amazon(address, settings, counting)?,
            Kind::Google => google(address, settings, counting)?,
            Kind::Azure => azure(address, settings, counting)?,
            Kind::Web | Kind::Disk => return Err(Error::usage("not the URL of a bucket")),
        };
        buckets.insert(address.origin.clone(), store.clone());
        Ok(store)
    }
}

fn set(variables: &[&str], environment: &Environment) -> bool {
    variables.iter().any(|variable| environment.get(variable).is_some())
}

fn amazon(address: &Address, settings: &Settings, counting: &Counting) -> Result<Arc<dyn ObjectStore>> {
    let environment = &settings.environment;
    let from_environment = environment.all("AWS_");
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&address.bucket)
        .with_client_options(options(settings.timeout))
        .with_retry(retries(settings.timeout))
        .with_http_connector(counting.clone());
    // A profile that was chosen for this run takes precedence over the environment.
    let profile = Profile::read(settings.profile.as_deref(), environment)?;
    for (variable, value) in from_environment {
        let is_key =
            ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"].contains(&&*variable);
        if is_key && settings.profile.is_some() {
            continue;
        }
        if let Ok(key) = variable.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    let has_keys = settings.profile.is_none() && set(&["AWS_ACCESS_KEY_ID"], environment);
    let has_other = set(
        &[
            "AWS_WEB_IDENTITY_TOKEN_FILE",
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
            "AWS_METADATA_ENDPOINT",
        ],
        environment,
    );
    let keys = if has_keys || settings.anonymous { None } else { profile.keys()? };
    let is_anonymous = settings.anonymous || !(has_keys || has_other || keys.is_some());
    match keys {
        Some(Keys::Static { id, secret, token }) => {
            builder = builder.with_access_key_id(id).with_secret_access_key(secret);
            if let Some(token) = token {
                builder = builder.with_token(token);
            }
        }
        Some(Keys::Process(command)) => builder = builder.with_credentials(Arc::new(Process::new(command))),
        Some(Keys::WebIdentity { token_file, role }) => {
            builder = builder
                .with_config(AmazonS3ConfigKey::WebIdentityTokenFile, token_file)
                .with_config(AmazonS3ConfigKey::RoleArn, role);
        }
        Some(Keys::Instance) | None => {}
    }
    if is_anonymous {
        builder = builder.with_skip_signature(true);
    }
    let endpoint = settings.endpoint.clone().or_else(|| {
        let variables = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];
        variables
            .iter()
            .find_map(|variable| environment.get(variable))
            .or_else(|| profile.get("endpoint_url"))
    });
    let region = ["AWS_REGION", "AWS_DEFAULT_REGION"].iter().find_map(|variable| environment.get(variable));
    let region = if settings.profile.is_some() {
        profile.get("region").or(region)
    } else {
        region.or_else(|| profile.get("region"))
    };
    let region = match (region, &endpoint) {
        (Some(region), _) => region,
        (None, Some(_)) => "us-east-1".to_owned(),
        (None, None) => {
            // One request for the bucket, since a request to another region fails.
            let (bucket, options) = (address.bucket.clone(), options(settings.timeout));
            let found = runtime::wait(async move { resolve_bucket_region(&bucket, &options).await })?;
            found.map_err(from_store)?
        }
    };
    if let Some(endpoint) = endpoint {
        builder = builder.with_endpoint(endpoint).with_virtual_hosted_style_request(false);
    } else if address.bucket.contains('.') {
        // The certificate of Amazon has no names with more dots.
        builder = builder.with_virtual_hosted_style_request(false);
    } else {
        builder = builder.with_virtual_hosted_style_request(true);
    }
    Ok(Arc::new(builder.with_region(region).build().map_err(from_store)?))
}

fn google(address: &Address, settings: &Settings, counting: &Counting) -> Result<Arc<dyn ObjectStore>> {
    let environment = &settings.environment;
    let mut builder = GoogleCloudStorageBuilder::new()
        .with_bucket_name(&address.bucket)
        .with_client_options(options(settings.timeout))
        .with_retry(retries(settings.timeout))
        .with_http_connector(counting.clone());
    for (variable, value) in environment.all("GOOGLE_") {
        if let Ok(key) = variable.to_ascii_lowercase().parse() {
            builder = builder.with_config(key, value);
        }
    }
    let variables = [
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_SERVICE_ACCOUNT",
        "GOOGLE_SERVICE_ACCOUNT_PATH",
        "GOOGLE_SERVICE_ACCOUNT_KEY",
    ];
    let home = environment.get("HOME").map(std::path::PathBuf::from);
    let default = home.map(|home| home.join(".config/gcloud/application_default_credentials.json"));
    let has_keys = set(&variables, environment) || default.is_some_and(|path| path.is_file());
    if let Some(endpoint) = &settings.endpoint {
        builder = builder.with_base_url(endpoint);
    }
    if settings.anonymous || !has_keys {
        builder = builder.with_skip_signature(true);
    }
    Ok(Arc::new(builder.build().map_err(from_store)?))
}

fn azure(address: &Address, settings: &Settings, counting: &Counting) -> Result<Arc<dyn ObjectStore>> {
    let environment = &settings.environment;
    let mut builder = MicrosoftAzureBuilder::new()
        .with_client_options(options(settings.timeout))
        .with_retry(retries(settings.timeout))
        .with_http_connector(counting.clone());
    for (variable, value) in environment.all("AZURE_") {
        if let Ok(key) = variable.to_ascii_lowercase().parse() {
            builder = builder.with_config(key, value);
        }
    }
    let account = ["AZURE_STORAGE_ACCOUNT_NAME", "AZURE_ACCOUNT_NAME", "AZURE_STORAGE_USE_EMULATOR"];
    if !address.bucket.contains('@') && !set(&account, environment) {
        return Err(Error::usage("the URL does not name an Azure account").with_hint(
            "set AZURE_STORAGE_ACCOUNT_NAME, or write abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/KEY",
        ));
    }
    builder = match address.bucket.split_once('@') {
        Some(_) => builder.with_url(format!("abfss://{}/", address.bucket)),
        None => builder.with_container_name(&address.bucket),
    };
    if let Some(endpoint) = &settings.endpoint {
        builder = builder.with_endpoint(endpoint.clone());
    }
    let variables = [
        "AZURE_STORAGE_ACCOUNT_KEY",
        "AZURE_STORAGE_ACCESS_KEY",
        "AZURE_STORAGE_SAS_KEY",
        "AZURE_STORAGE_SAS_TOKEN",
        "AZURE_STORAGE_TOKEN",
        "AZURE_STORAGE_CLIENT_ID",
        "AZURE_CLIENT_ID",
        "AZURE_FEDERATED_TOKEN_FILE",
        "AZURE_USE_AZURE_CLI",
        "AZURE_STORAGE_USE_EMULATOR",
    ];
    if settings.anonymous || !set(&variables, environment) {
        builder = builder.with_skip_signature(true);
    }
    Ok(Arc::new(builder.build().map_err(from_store)?))
}
