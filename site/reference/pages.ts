/**
 * The reference: a page for each operation of the OpenAPI document, a page for each tag with a list of its operations and the objects that
 * they answer, and a page that lists all operations. Pure: the same document gives the same pages. Next: `site/stage.ts`, which writes them.
 */
import { type Node, type Operation, type Reference, readReference } from './document.ts';
import { objectsIn, operationPage } from './operation.ts';
import { inline, memberList, membersOf } from './schema.ts';

export interface ReferencePage {
  /** Below `/docs/`, without an ending. */
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

/** The page of a tag, and those of its operations, in the order of the menu. */
export interface ReferenceGroup extends ReferencePage {
  readonly operations: readonly ReferencePage[];
}

export interface ReferencePages {
  readonly overview: ReferencePage;
  readonly groups: readonly ReferenceGroup[];
}

const BASE = '/docs';
const folderOf = (tag: string) => `reference/${tag.toLowerCase().replaceAll(' ', '-')}/`;
/** `createPayout` of Payouts: `reference/payouts/create-payout`. */
const pathOf = ({ tag, id }: Operation) =>
  `${folderOf(tag)}${id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
const FRONT = '---\npageClass: reference\naside: false\n---\n';

export function referencePages(document: Node): ReferencePages {
  const reference = readReference(document);
  const homes = homesOf(reference);
  const linkOf = (object: string) => {
    const home = homes.get(object);
    return home === undefined ? undefined : `${BASE}/${home}#object-${object}`;
  };
  const pageOf = (operation: Operation): ReferencePage => ({
    path: pathOf(operation),
    title: operation.summary,
    markdown: `${FRONT}\n${operationPage(operation, reference, linkOf)}`,
  });
  const groups = reference.tags.map((tag) => {
    const operations = inOrder(reference.operations.filter((each) => each.tag === tag));
    const objects = [...homes].filter(([, home]) => home === folderOf(tag)).map(([name]) => name);
    const parts = [
      `${FRONT}\n# ${tag}\n`,
      table(operations, 'with places'),
      ...objects.map((name) => objectSection(name, reference)),
    ];
    return { path: folderOf(tag), title: tag, markdown: parts.join('\n'), operations: operations.map(pageOf) };
  });
  return { overview: overview(reference), groups };
}

/** By path, one object before what is below it; making before listing. */
function inOrder(operations: readonly Operation[]): readonly Operation[] {
  const rank = ({ path, method }: Operation) => `${path.replaceAll('{', ' ')} ${method === 'POST' ? 0 : 1}`;
  return operations.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** The first tag that answers an object explains it. Lists are explained once, in the guide. */
function homesOf({ operations, follow }: Reference): ReadonlyMap<string, string> {
  const homes = new Map<string, string>();
  for (const { tag, success } of operations.toSorted(
    (a, b) => Number(a.tag === 'Test helpers') - Number(b.tag === 'Test helpers'),
  )) {
    for (const name of success.flatMap(({ schema }) => objectsIn(schema))) {
      const isObject = follow({ $ref: `#/components/schemas/${name}` }).properties !== undefined;
      if (!name.endsWith('List') && isObject && !homes.has(name)) homes.set(name, folderOf(tag));
    }
  }
  return homes;
}

function objectSection(name: string, reference: Reference): string {
  const schema = reference.follow({ $ref: `#/components/schemas/${name}` });
  const list = memberList(membersOf(schema, reference), reference, { of: 'answer' });
  const about = schema.description === undefined ? '' : `<p>${inline(schema.description)}</p>\n\n`;
  return `## Object: ${name} {#object-${name}}\n\n${about}${list}\n`;
}

/** Links to operations. With places: each is found under the name of the operation, where a link to the page of a tag may lead. */
function table(operations: readonly Operation[], places: 'with places' | 'without'): string {
  const rows = operations.map((operation) => {
    const { id, method, path, summary } = operation;
    const place = places === 'with places' ? ` id="${id}"` : '';
    return `<li${place}><a href="${BASE}/${pathOf(operation)}"><span class="method ${method.toLowerCase()}">${method}</span> <code v-pre>${path}</code> <span>${inline(summary)}</span></a></li>`;
  });
  return `<ul class="operations">\n${rows.join('\n')}\n</ul>\n`;
}

function overview({ tags, operations, version }: Reference): ReferencePage {
  const lists = tags.map((tag) => {
    const own = inOrder(operations.filter((each) => each.tag === tag));
    return `## [${tag}](/${folderOf(tag)})\n\n${table(own, 'without')}`;
  });
  const markdown = `---\npageClass: reference\naside: false\n---\n
# API reference

Every operation of version ${version}: ${operations.length} of them, each on a page of its own. The pages are made from the OpenAPI document that the service answers at
<a href="/openapi.json" target="_self"><code>/openapi.json</code></a>. The examples run in the tests; set the address and a key first:

\`\`\`sh
export BURSAR_URL=http://127.0.0.1:4242 BURSAR_KEY=sk_test_…
\`\`\`

Any operation can also be refused with the [errors of the API as a whole](/errors): a wrong key, an unknown parameter, too many requests.
Amounts, retries, lists and filters work the same everywhere: [integrating](/guides/integrating).

${lists.join('\n')}`;
  return { path: 'reference/', title: 'All operations', markdown };
}
