-- People who sign in to the dashboard, and what they are in each environment (docs/decisions/0104).

-- The one table of people has no environment: a person signs in once, with one password or passkey, for all merchants that let them in. No
-- operation of the API reads it but for a user of the caller's own environment.
CREATE TABLE people (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_lower text NOT NULL UNIQUE,
  name text,
  second_factor text CHECK (second_factor IN ('passkey', 'totp')),
  created_at timestamptz NOT NULL DEFAULT now(),
  suspended_at timestamptz
);
COMMENT ON TABLE people IS 'Persons who can sign in. Global: what a person may do is said by users, in each environment.';
COMMENT ON COLUMN people.id IS 'Identifier, shown as usr_…: that of the user as whom the person first joined.';
COMMENT ON COLUMN people.email IS 'E-mail address, as written.';
COMMENT ON COLUMN people.email_lower IS 'The same in lower case, for sign-in.';
COMMENT ON COLUMN people.name IS 'How the person wants to be called; NULL: never said.';
COMMENT ON COLUMN people.second_factor IS 'The strongest second factor that the person has set up; NULL: none.';
COMMENT ON COLUMN people.created_at IS 'When the person first joined.';
COMMENT ON COLUMN people.suspended_at IS 'When the operator shut the person out everywhere; NULL: the person may sign in.';

CREATE TABLE users (
  environment_id uuid NOT NULL REFERENCES environments,
  id uuid NOT NULL,
  email text NOT NULL,
  name text,
  roles text[] NOT NULL,
  person_id uuid REFERENCES people,
  let_in_by text[] NOT NULL,
  created_by uuid,
  confirmed_by uuid,
  suspended_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (environment_id, id)
);
CREATE UNIQUE INDEX users_person ON users (person_id, environment_id) WHERE person_id IS NOT NULL;
COMMENT ON TABLE users IS 'Members of an environment. A person is a user of each environment that let it in, each with an id of its own, so that no environment learns of another.';
COMMENT ON COLUMN users.environment_id IS 'The environment.';
COMMENT ON COLUMN users.id IS 'Identifier, shown as usr_…: a UUIDv8 with its instant, which no key and no word for a part of the service has.';
COMMENT ON COLUMN users.email IS 'Where the invitation was meant to go; once somebody has joined, the address of the person counts.';
COMMENT ON COLUMN users.name IS 'How this merchant calls the person; NULL: as the person does.';
COMMENT ON COLUMN users.roles IS 'Named sets of scopes, which add up.';
COMMENT ON COLUMN users.person_id IS 'Who joined; NULL: nobody yet.';
COMMENT ON COLUMN users.let_in_by IS 'Everybody who could sign in as this user, or gave it the right to approve: who invited it, made links for it, or gave it a role that decides. None of their families confirms it.';
COMMENT ON COLUMN users.created_by IS 'Who invited it, as in events.actor.';
COMMENT ON COLUMN users.confirmed_by IS 'Who confirmed that it may approve; NULL: nobody, so it approves nothing.';
COMMENT ON COLUMN users.suspended_at IS 'When it was suspended, in real time; NULL: it is not.';
COMMENT ON COLUMN users.last_seen_at IS 'Its last request, to the minute.';
COMMENT ON COLUMN users.created_at IS 'When it was invited, in real time.';

-- Of what the server's login can write, this decides who may do what: never without its entry in the audit log (docs/decisions/0076).
CREATE CONSTRAINT TRIGGER users_are_logged
  AFTER INSERT ON users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  EXECUTE FUNCTION refuse_unlogged('user.invited');
CREATE CONSTRAINT TRIGGER users_changes_are_logged
  AFTER UPDATE OF roles, person_id, let_in_by, confirmed_by, suspended_at ON users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((NEW.roles, NEW.person_id, NEW.let_in_by, NEW.confirmed_by, NEW.suspended_at)
    IS DISTINCT FROM (OLD.roles, OLD.person_id, OLD.let_in_by, OLD.confirmed_by, OLD.suspended_at))
  EXECUTE FUNCTION refuse_unlogged('user.joined', 'user.updated', 'user.suspended', 'user.resumed', 'user.confirmed',
    'user.link_made', 'user.redacted');

CREATE TABLE one_time_links (
  hash bytea PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('claim', 'invite', 'reset', 'login')),
  environment_id uuid,
  user_id uuid,
  person_id uuid REFERENCES people,
  made_by uuid,
  made_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX one_time_links_user ON one_time_links (environment_id, user_id);
COMMENT ON TABLE one_time_links IS 'Links that open a door once: to join, to sign in, to set new credentials. Looked up before any environment is known.';
COMMENT ON COLUMN one_time_links.hash IS 'SHA-256 of the token, which is 32 bytes and stands in the fragment of the link alone.';
COMMENT ON COLUMN one_time_links.kind IS 'claim: the first person; invite: joins as the user; reset: sets new credentials; login: signs in.';
COMMENT ON COLUMN one_time_links.environment_id IS 'Where it was made; NULL: by the operator, for no environment.';
COMMENT ON COLUMN one_time_links.user_id IS 'The user whom it is about; NULL: none.';
COMMENT ON COLUMN one_time_links.person_id IS 'The person whom it is about; NULL: whoever opens it.';
COMMENT ON COLUMN one_time_links.made_by IS 'Who made it, as in events.actor.';
COMMENT ON COLUMN one_time_links.made_at IS 'When it was made, in real time.';
COMMENT ON COLUMN one_time_links.ends_at IS 'From then on it opens nothing.';
COMMENT ON COLUMN one_time_links.used_at IS 'When it was used, or taken back because a newer one was made; NULL: it still opens its door.';
