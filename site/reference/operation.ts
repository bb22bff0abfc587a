/** One operation of the reference as Markdown: what it does, how it is asked, what it answers and refuses. Pure. Next: `pages.ts`. */
import type { Operation, Parameter, Reference, Schema } from './document.ts';
import { curlOf, typescriptOf } from './samples.ts';
import { escaped, inline, type Member, memberList, membersOf } from './schema.ts';

/** Names of the shared objects that an answer can be: of `Payout | PayoutDryRun`, both. */
export function objectsIn(schema: Schema): readonly string[] {
  const { $ref, oneOf = [], anyOf = [] } = schema;
  if ($ref !== undefined) return [$ref.slice($ref.lastIndexOf('/') + 1)];
  return [...oneOf, ...anyOf].flatMap(objectsIn);
}

export function operationPage(
  operation: Operation,
  reference: Reference,
  linkOf: (object: string) => string | undefined,
): string {
  const { method, path, summary, description, scopes } = operation;
  const scope = scopes.map((each) => `<code>${escaped(each)}</code>`).join(' and ');
  const parts = [
    `# ${summary}`,
    `<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code v-pre>${path}</code></p>`,
    `<p>${inline(description)}</p>`,
    scope === ''
      ? ''
      : `<p class="scope">A restricted key needs ${scope} (<a href="/docs/guides/integrating#keys">keys</a>).</p>`,
    pair(operation),
    `<div class="halves"><div>`,
    parametersOf(operation, reference),
    `</div><div>`,
    answerOf(operation, linkOf),
    refusalsOf(operation),
    `</div></div>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function pair(operation: Operation): string {
  const block = (title: string, language: string, code: string) =>
    `<div>\n<p class="caption">${title}</p>\n\n\`\`\`${language}\n${code}\n\`\`\`\n\n</div>`;
  // Where the body is a file, the guide shows how it is sent.
  if (operation.method === 'POST' && operation.body === null && operation.bodyTypes.length > 0) return '';
  const both = [block('curl', 'sh', curlOf(operation)), block('TypeScript', 'ts', typescriptOf(operation))];
  return `<div class="pair">\n${both.join('\n')}\n</div>`;
}

const PLACES: readonly (readonly [Parameter['in'], string])[] = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'Headers'],
];

function parametersOf(operation: Operation, reference: Reference): string {
  const lists = PLACES.map(([place, title]) => {
    const members: Member[] = operation.parameters
      .filter((each) => each.in === place)
      .map(({ name, schema, required = false, description }) => ({ name, schema, required, description }));
    return section(title, memberList(joinRepeated(members), reference, { of: 'request' }));
  });
  const body = operation.body === null ? [] : membersOf(operation.body, reference);
  const title = operation.bodyTypes.includes('text/csv') ? 'Body: form, JSON or CSV' : 'Body: form or JSON';
  const bodyList = section(title, memberList(sorted(body), reference, { of: 'request' }));
  return [...lists.slice(0, 1), bodyList, ...lists.slice(1)].filter((part) => part !== '').join('\n');
}

/** `status` and `status[]` are one filter: its list says so. */
function joinRepeated(members: readonly Member[]): readonly Member[] {
  const names = new Set(members.map(({ name }) => name));
  return members
    .filter(({ name }) => !(name.endsWith('[]') && names.has(name.slice(0, -2))))
    .map((member) =>
      names.has(`${member.name}[]`) ? { ...member, name: `${member.name}, ${member.name}[]` } : member,
    );
}

const sorted = (members: readonly Member[]) => members.toSorted((a, b) => Number(b.required) - Number(a.required));

const section = (title: string, list: string) => (list === '' ? '' : `<p class="caption">${title}</p>\n${list}`);

function answerOf({ success }: Operation, linkOf: (object: string) => string | undefined): string {
  const names = [...new Set(success.flatMap(({ schema }) => objectsIn(schema)))];
  const said = names.map((name) => {
    const link = linkOf(name);
    return link === undefined ? `<code>${name}</code>` : `<a href="${link}">${name}</a>`;
  });
  const types = success.map(({ type }) => `<code>${type}</code>`).join(', ');
  const what = said.length > 0 ? `${said.join(' or ')}, as ${types}` : types;
  const example = success[0]?.example ?? null;
  const isText = typeof example === 'string';
  const language = isText ? 'txt' : 'json';
  const shown = isText ? example.trimEnd() : JSON.stringify(example, null, 2);
  return [
    `<p class="caption">Answer</p>\n<p>${what}.</p>`,
    ...(example === null ? [] : [`\`\`\`${language}\n${shown}\n\`\`\``]),
  ].join('\n\n');
}

function refusalsOf({ refusals }: Operation): string {
  const general = '<p>Any operation can also answer the <a href="/docs/errors">errors of the API as a whole</a>.</p>';
  if (refusals.length === 0) return `<p class="caption">Errors</p>\n${general}`;
  const lines = refusals.map(({ status, codes }) => {
    const links = codes.map((code) => `<a href="/docs/errors#${code}"><code>${code}</code></a>`);
    return `<li><span class="status">${status}</span> ${links.join(', ')}</li>`;
  });
  return `<p class="caption">Errors of its own</p>\n<ul class="refusals">\n${lines.join('\n')}\n</ul>\n${general}`;
}
