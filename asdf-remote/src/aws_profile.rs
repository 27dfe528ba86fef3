//! Profiles of AWS: `~/.aws/credentials` and `~/.aws/config`.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use asdf_core::{Error, Result};
use object_store::CredentialProvider;
use object_store::aws::AwsCredential;

use crate::environment::Environment;
use crate::ini;

/// A profile: the values of its section in both files.
#[derive(Debug)]
pub(crate) struct Profile {
    name: String,
    /// The texts of `credentials` and `config`. The first takes precedence.
    texts: [String; 2],
}

/// Where the credentials of a profile are from.
#[derive(Debug)]
pub(crate) enum Keys {
    /// In the file.
    Static { id: String, secret: String, token: Option<String> },
    /// From the output of a command.
    Process(String),
    /// From a token in a file, which is exchanged for credentials of a role.
    WebIdentity { token_file: String, role: String },
    /// From the metadata service of the machine, because the profile says so.
    Instance,
}

impl Profile {
    /// Reads a profile by its name, or the one that the environment names, or `default`.
    ///
    /// A name that neither file has is an error, except for `default`.
    pub(crate) fn read(name: Option<&str>, environment: &Environment) -> Result<Self> {
        let from_variable = environment.get("AWS_PROFILE").or_else(|| environment.get("AWS_DEFAULT_PROFILE"));
        let chosen = name.map(str::to_owned).or(from_variable);
        let home = environment.get("HOME").or_else(|| environment.get("USERPROFILE")).map(PathBuf::from);
        let text = |variable: &str, file: &str| {
            let path = environment.get(variable).map(PathBuf::from);
            let path = path.or_else(|| Some(home.clone()?.join(".aws").join(file)))?;
            std::fs::read_to_string(path).ok()
        };
        let texts = [
            text("AWS_SHARED_CREDENTIALS_FILE", "credentials").unwrap_or_default(),
            text("AWS_CONFIG_FILE", "config").unwrap_or_default(),
        ];
        let profile = Self { name: chosen.clone().unwrap_or_else(|| "default".to_owned()), texts };
        match chosen {
            Some(name) if !profile.texts.iter().any(|text| ini::has_section(text, &name)) => {
                Err(Error::usage(format!("found no AWS profile '{}'", name.escape_debug()))
                    .with_hint("use a profile of ~/.aws/config or ~/.aws/credentials"))
            }
            _ => Ok(profile),
        }
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<String> {
        self.texts.iter().find_map(|text| ini::value(text, &self.name, key)).map(str::to_owned)
    }

    /// Where the credentials are from. `None` if the profile has none.
    pub(crate) fn keys(&self) -> Result<Option<Keys>> {
        if let (Some(token_file), Some(role)) = (self.get("web_identity_token_file"), self.get("role_arn")) {
            return Ok(Some(Keys::WebIdentity { token_file, role }));
        }
        if let (Some(id), Some(secret)) = (self.get("aws_access_key_id"), self.get("aws_secret_access_key")) {
            if self.get("role_arn").is_none() {
                return Ok(Some(Keys::Static { id, secret, token: self.get("aws_session_token") }));
            }
        }
        if let Some(command) = self.get("credential_process") {
            return Ok(Some(Keys::Process(command)));
        }
        if self.get("credential_source").as_deref() == Some("Ec2InstanceMetadata") {
            return Ok(Some(Keys::Instance));
        }
        let other = ["role_arn", "sso_session", "sso_start_url", "credential_source"];
        match other.into_iter().find(|key| self.get(key).is_some()) {
            None => Ok(None),
            Some(key) => {
                let name = &self.name;
                Err(Error::unsupported(format!("the AWS profile '{name}' uses `{key}`, which is not supported"))
                    .with_hint(format!(
                        "add `credential_process = aws configure export-credentials --profile {name}` to another profile"
                    )))
            }
        }
    }
}

/// The credentials from the output of a command, which runs again when they expire.
#[derive(Debug)]
pub(crate) struct Process {
    command: String,
    last: Mutex<Option<(Arc<AwsCredential>, Option<SystemTime>)>>,
}

impl Process {
    pub(crate) fn new(command: String) -> Self {
        Self { command, last: Mutex::default() }
    }

    /// Runs the command without a shell, as the programs of AWS do.
    fn run(command: &str) -> std::result::Result<(AwsCredential, Option<SystemTime>), String> {
        let words =
            shlex::split(command).filter(|words| !words.is_empty()).ok_or("its quotes do not match")?;
        let (program, arguments) = words.split_first().ok_or("it is empty")?;
        let output =
            Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(format!("it ended with {}", output.status));
        }
        let answer: serde_json::Value =
            serde_json::from_slice(&output.stdout).map_err(|_| "its output is not JSON".to_owned())?;
        let text = |key: &str| answer.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
        let key_id = text("AccessKeyId").ok_or("its output has no `AccessKeyId`")?;
        let secret_key = text("SecretAccessKey").ok_or("its output has no `SecretAccessKey`")?;
        let expiration = text("Expiration").and_then(|time| {
            let time = chrono::DateTime::parse_from_rfc3339(&time).ok()?;
            Some(SystemTime::from(time))
        });
        Ok((AwsCredential { key_id, secret_key, token: text("SessionToken") }, expiration))
    }
}

#[async_trait::async_trait]
impl CredentialProvider for Process {
    type Credential = AwsCredential;

    async fn get_credential(&self) -> object_store::Result<Arc<AwsCredential>> {
        /// Credentials that expire sooner are replaced.
        const SOON: Duration = Duration::from_secs(60);
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((credential, expiration)) = last {
            if expiration.is_none_or(|time| time > SystemTime::now() + SOON) {
                return Ok(credential);
            }
        }
        let command = self.command.clone();
        let ran = tokio::task::spawn_blocking(move || Self::run(&command)).await;
        let (credential, expiration) =
            ran.map_err(|error| error.to_string()).and_then(|found| found).map_err(|why| {
                let source = format!("`credential_process = {}` failed: {why}", self.command);
                object_store::Error::Generic { store: "S3", source: source.into() }
            })?;
        let credential = Arc::new(credential);
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((credential.clone(), expiration));
        Ok(credential)
    }
}
