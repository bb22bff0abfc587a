-- How people sign in to the dashboard: what they prove themselves by, and their sessions. A person is one in all environments, and signs in before any
-- environment is named, so these tables have no environment_id; what a session opens is read from `users`. Decision 0105.
CREATE TABLE person_credentials (
  person_id uuid PRIMARY KEY,
  password_hash text,
  totp_sealed text,
  totp_pending_sealed text,
  totp_last_step bigint,
  recovery_hashes bytea[] NOT NULL DEFAULT '{}',
  changed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE person_credentials IS 'Password, authenticator app and recovery codes of a person who signs in to the dashboard; passkeys are in passkeys. Of the whole service: a person is one in all environments.';
COMMENT ON COLUMN person_credentials.person_id IS 'The person (people).';
COMMENT ON COLUMN person_credentials.password_hash IS 'scrypt of the password with its parameters and salt; NULL: the person has none.';
COMMENT ON COLUMN person_credentials.totp_sealed IS 'Secret of the authenticator app, sealed under the server secret; NULL: none is confirmed.';
COMMENT ON COLUMN person_credentials.totp_pending_sealed IS 'Secret that the person was shown and has not confirmed by a code, sealed; NULL: none.';
COMMENT ON COLUMN person_credentials.totp_last_step IS 'The newest step of 30 seconds whose code was used; no code of it or before it is taken again.';
COMMENT ON COLUMN person_credentials.recovery_hashes IS 'SHA-256 of each recovery code that is left.';
COMMENT ON COLUMN person_credentials.changed_at IS 'When any of it last changed.';

CREATE TABLE passkeys (
  id text PRIMARY KEY,
  person_id uuid NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports text[] NOT NULL DEFAULT '{}',
  rp_id text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  removed_at timestamptz
);
CREATE INDEX passkeys_person ON passkeys (person_id);
COMMENT ON TABLE passkeys IS 'Passkeys of people (WebAuthn). Of the whole service: a person is one in all environments.';
COMMENT ON COLUMN passkeys.id IS 'Credential id, base64url.';
COMMENT ON COLUMN passkeys.person_id IS 'The person (people).';
COMMENT ON COLUMN passkeys.public_key IS 'Public key (COSE).';
COMMENT ON COLUMN passkeys.counter IS 'Signatures that the authenticator had counted at its last use; 0: it does not count.';
COMMENT ON COLUMN passkeys.transports IS 'How the browser reaches the authenticator.';
COMMENT ON COLUMN passkeys.rp_id IS 'Host name that it was made at; it works nowhere else.';
COMMENT ON COLUMN passkeys.name IS 'What the person calls it.';
COMMENT ON COLUMN passkeys.created_at IS 'When it was added.';
COMMENT ON COLUMN passkeys.last_used_at IS 'When it last opened or strengthened a session.';
COMMENT ON COLUMN passkeys.removed_at IS 'Since when it opens nothing; NULL: it does.';

CREATE TABLE sessions (
  hash bytea PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  person_id uuid NOT NULL,
  method text NOT NULL CHECK (method IN ('passkey', 'password', 'claim')),
  second_factor boolean NOT NULL,
  ip text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL,
  stepped_up_at timestamptz,
  ended_at timestamptz
);
CREATE INDEX sessions_person ON sessions (person_id, created_at);
COMMENT ON TABLE sessions IS 'Sessions of people in the dashboard, kept 90 days after their end. Of the whole service: the environment is named by each request.';
COMMENT ON COLUMN sessions.hash IS 'SHA-256 of the token in the cookie; another one after each step-up.';
COMMENT ON COLUMN sessions.id IS 'Names the session in lists and in the audit log.';
COMMENT ON COLUMN sessions.person_id IS 'The person (people).';
COMMENT ON COLUMN sessions.method IS 'How it was opened: passkey, password, or claim (a one-time link).';
COMMENT ON COLUMN sessions.second_factor IS 'Whether a second factor was shown in it: a passkey, or a code beside the password.';
COMMENT ON COLUMN sessions.ip IS 'Address of the client that opened it.';
COMMENT ON COLUMN sessions.user_agent IS 'Browser that opened it, as it names itself.';
COMMENT ON COLUMN sessions.created_at IS 'When it was opened.';
COMMENT ON COLUMN sessions.seen_at IS 'When the person last did something in it, to within half a minute.';
COMMENT ON COLUMN sessions.ends_at IS 'When it ends, whatever is done in it.';
COMMENT ON COLUMN sessions.stepped_up_at IS 'When a factor was last shown again; NULL: not since it was opened.';
COMMENT ON COLUMN sessions.ended_at IS 'When the person, an administrator, the operator or a restore ended it; NULL: none has.';

CREATE TABLE sign_in_challenges (
  holder bytea NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('sign_in', 'step_up', 'passkey')),
  challenge text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz,
  PRIMARY KEY (holder, purpose)
);
COMMENT ON TABLE sign_in_challenges IS 'What a passkey is asked to sign, once and within five minutes. Of the whole service: nobody is signed in yet.';
COMMENT ON COLUMN sign_in_challenges.holder IS 'SHA-256 of the token in the cookie of the browser that asked.';
COMMENT ON COLUMN sign_in_challenges.purpose IS 'What the signature is for: sign_in, step_up, or passkey (a new one).';
COMMENT ON COLUMN sign_in_challenges.challenge IS 'Random bytes, base64url.';
COMMENT ON COLUMN sign_in_challenges.made_at IS 'When it was asked for.';
COMMENT ON COLUMN sign_in_challenges.used_at IS 'When it was answered; NULL: it was not.';
