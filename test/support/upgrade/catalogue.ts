/**
 * Everything that PostgreSQL's catalogues say of the schema `public`, a line a fact, so that two databases can be compared. Object
 * ids are left out, and dates. Who compares: `test/long/databases-before.test.ts`.
 */
import type { Client } from 'pg';

/** A list of rights as text, in one order; NULL: the owner's own. */
const rights = (acl: string) =>
  `(SELECT string_agg(x.grantee::regrole || ' ' || x.privilege_type || ' ' || x.is_grantable, ',' ORDER BY x.grantee::regrole::text, x.privilege_type) FROM aclexplode(${acl}) x)`;
const HERE = "'public'::regnamespace";

/** Kind → one jsonb a row. */
const QUESTIONS: Readonly<Record<string, string>> = {
  schema: `SELECT jsonb_build_object('owner', nspowner::regrole, 'rights', ${rights('nspacl')}, 'comment', obj_description(oid, 'pg_namespace'))
    FROM pg_namespace WHERE oid = ${HERE}`,
  relation: `SELECT jsonb_build_object('name', relname, 'kind', relkind, 'persistence', relpersistence, 'owner', relowner::regrole,
      'options', reloptions, 'toast', (SELECT t.reloptions FROM pg_class t WHERE t.oid = c.reltoastrelid AND c.reltoastrelid <> 0), 'rls', relrowsecurity,
      'forced', relforcerowsecurity, 'identity', relreplident, 'tablespace', reltablespace, 'method', (SELECT amname FROM pg_am a WHERE a.oid = c.relam),
      'partition', relispartition, 'rights', ${rights('relacl')}, 'comment', obj_description(oid, 'pg_class'),
      'view', CASE WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(oid) END)
    FROM pg_class c WHERE relnamespace = ${HERE}`,
  column: `SELECT jsonb_build_object('of', c.relname, 'number', a.attnum, 'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'notNull', a.attnotnull, 'default', (SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum),
      'identity', a.attidentity, 'generated', a.attgenerated, 'collation', a.attcollation::regcollation, 'storage', a.attstorage,
      'compression', a.attcompression, 'options', a.attoptions, 'dropped', a.attisdropped, 'statistics', a.attstattarget,
      'rights', ${rights('a.attacl')}, 'comment', col_description(c.oid, a.attnum))
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = ${HERE} AND a.attnum > 0`,
  constraint: `SELECT jsonb_build_object('of', conrelid::regclass, 'name', conname, 'type', contype, 'is', pg_get_constraintdef(oid), 'validated', convalidated,
      'deferrable', condeferrable, 'deferred', condeferred, 'inherited', NOT conislocal, 'comment', obj_description(oid, 'pg_constraint'))
    FROM pg_constraint WHERE connamespace = ${HERE}`,
  index: `SELECT jsonb_build_object('is', pg_get_indexdef(indexrelid), 'unique', indisunique, 'primary', indisprimary, 'exclusion', indisexclusion,
      'immediate', indimmediate, 'clustered', indisclustered, 'valid', indisvalid, 'ready', indisready, 'live', indislive, 'identity', indisreplident)
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE c.relnamespace = ${HERE}`,
  sequence: `SELECT to_jsonb(s) - 'seqrelid' - 'seqtypid' || jsonb_build_object('name', seqrelid::regclass)
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid WHERE c.relnamespace = ${HERE}`,
  routine: `SELECT jsonb_build_object('name', oid::regprocedure, 'is', CASE WHEN prokind IN ('f', 'p') THEN pg_get_functiondef(oid) END, 'owner', proowner::regrole,
      'rights', ${rights('proacl')}, 'comment', obj_description(oid, 'pg_proc')) FROM pg_proc WHERE pronamespace = ${HERE}`,
  trigger: `SELECT jsonb_build_object('is', pg_get_triggerdef(t.oid), 'enabled', tgenabled) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = ${HERE} AND NOT tgisinternal`,
  rule: `SELECT jsonb_build_object('is', pg_get_ruledef(r.oid)) FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE c.relnamespace = ${HERE}`,
  policy: `SELECT to_jsonb(p) FROM pg_policies p WHERE schemaname = 'public'`,
  type: `SELECT jsonb_build_object('name', typname, 'kind', typtype, 'owner', typowner::regrole, 'rights', ${rights('typacl')},
      'labels', (SELECT jsonb_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid), 'comment', obj_description(oid, 'pg_type'))
    FROM pg_type t WHERE typnamespace = ${HERE}`,
  statistics: `SELECT jsonb_build_object('is', pg_get_statisticsobjdef(oid)) FROM pg_statistic_ext WHERE stxnamespace = ${HERE}`,
  extension: `SELECT jsonb_build_object('name', extname, 'schema', extnamespace::regnamespace) FROM pg_extension`,
  defaultRights: `SELECT jsonb_build_object('role', defaclrole::regrole, 'kind', defaclobjtype, 'rights', ${rights('defaclacl')}) FROM pg_default_acl`,
  namespace: "SELECT to_jsonb(nspname) FROM pg_namespace WHERE nspname !~ '^pg_(toast|temp)'",
};

/** Sorted. As the transaction of `client` sees it. */
export async function catalogueOf(client: Client): Promise<string[]> {
  const facts: string[] = [];
  for (const [kind, sql] of Object.entries(QUESTIONS)) {
    const { rows } = await client.query<{ fact: string }>(`SELECT fact::text FROM (${sql}) AS q(fact)`);
    facts.push(...rows.map(({ fact }) => `${kind} ${fact}`));
  }
  return facts.toSorted();
}

/** All rows of all tables, a line a row, but for the list of the migrations themselves. */
export async function rowsOfAll(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = ${HERE} AND relkind IN ('r', 'p') AND relname <> 'schema_migrations' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t ORDER BY 1`);
    found.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return found;
}
