/**
 * How VitePress builds what `site/stage.ts` wrote. Nothing of another host: no font, no search service. Code is coloured by classes and
 * nothing is written inline but three small scripts, whose hashes `site/finish.ts` collects for the policy of the pages.
 */
import { readFileSync } from 'node:fs';
import { createCssVariablesTheme } from 'shiki';
import { codesIn, KEYWORDS, withKeywords } from '../search.ts';

const pages = new URL('../pages/', import.meta.url);
const menus = JSON.parse(readFileSync(new URL('menu.json', pages), 'utf8'));

/** `style="color:var(--code-token-keyword)"` is `class="token-keyword"`: the policy of the pages forbids inline styles. */
const classesForStyles = {
  name: 'classes-for-styles',
  postprocess: (html) =>
    html
      .replace(/ style="color:var\(--code-([a-z-]+)\)(?:;[^"]*)?"/g, ' class="$1"')
      .replace(/ style="background-color:[^"]*"/g, ''),
};

/** The index of the search is a module whose one value is the text of the index. */
const keywords = {
  name: 'keywords',
  transform(code, id) {
    if (!id.startsWith('/@localSearchIndex') || !code.startsWith('export default "')) return null;
    const text = JSON.parse(code.slice('export default '.length));
    if (JSON.parse(text).documentCount === 0) return null; // that of the server: `textForSearch`
    const codes = codesIn(readFileSync(new URL('errors.md', pages), 'utf8'));
    return { code: `export default ${JSON.stringify(withKeywords(text, KEYWORDS, codes))}`, map: null };
  },
};

/** Indented blocks say no language: a brace begins JSON, SQL is in capitals, anything else is for a shell. */
const languageOf = (code) =>
  /^[[{]/.test(code) ? 'json' : /^(?:CREATE|GRANT|UPDATE|DELETE) /.test(code) ? 'sql' : 'sh';

/** Pages that the index has. VitePress makes it once more for the server, where nobody searches. */
const indexed = new Set();

/** For the index the words count, so code is not coloured for it. That takes a quarter of the build's time. */
function textForSearch(markdown, env, md) {
  if (indexed.has(env.path)) return '';
  indexed.add(env.path);
  const { highlight } = md.options;
  md.options.highlight = (code) => `<pre>${md.utils.escapeHtml(code)}</pre>`;
  try {
    return md.render(markdown, env);
  } finally {
    md.options.highlight = highlight;
  }
}

export default {
  title: 'Bursar',
  description: 'The documentation of Bursar, a self-hosted payments service.',
  lang: 'en',
  base: '/docs/',
  srcDir: 'pages',
  srcExclude: ['public/**'],
  outDir: 'dist',
  cacheDir: '.cache',
  cleanUrls: true,
  metaChunk: true,
  // One page after the other: the index of the search is in the order in which pages are done, and a release has to be built the same twice.
  buildConcurrency: 1,
  // Else a style element is written into the page at each change.
  appearance: { disableTransition: false },
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: '/docs/icon.svg', type: 'image/svg+xml' }]],
  markdown: {
    theme: createCssVariablesTheme({ name: 'classes', variablePrefix: '--code-', fontStyle: false }),
    codeTransformers: [classesForStyles],
    config(md) {
      // Columns of numbers are set to the right by a class, not by a style.
      for (const cell of ['th_open', 'td_open']) {
        md.renderer.rules[cell] = (tokens, at, options, _env, self) => {
          const align = tokens[at].attrGet('style')?.replace('text-align:', '');
          if (align !== undefined) tokens[at].attrs = [['class', `to-the-${align}`]];
          return self.renderToken(tokens, at, options);
        };
      }
      md.renderer.rules.code_block = (tokens, at, options, env, self) => {
        const token = tokens[at];
        token.info = languageOf(token.content);
        token.tag = 'code';
        token.markup = '```';
        return md.renderer.rules.fence(tokens, at, options, env, self);
      };
    },
  },
  vite: { plugins: [keywords] },
  themeConfig: {
    sidebar: menus,
    nav: [
      { text: 'Start', link: '/guides/first-payout' },
      { text: 'Integrate', link: '/guides/integrating' },
      { text: 'Operate', link: '/guides/operating' },
      { text: 'Contribute', link: '/contributing' },
      { text: 'Reference', link: '/reference/' },
    ],
    search: {
      provider: 'local',
      // Data only in what browsers get: a function there would need `unsafe-eval` in the policy of the pages. `_render` stays here.
      options: {
        _render: textForSearch,
        miniSearch: {
          options: { fields: ['title', 'titles', 'text', 'keywords'], storeFields: ['title', 'titles'] },
          searchOptions: { fuzzy: 0.2, prefix: true, boost: { keywords: 8, title: 4, text: 2, titles: 1 } },
        },
      },
    },
    outline: { level: [2, 3] },
  },
};
