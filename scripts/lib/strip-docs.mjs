// Takes doc comments out of compiled modules: declarations have them, for editors, and what nobody reads twice is a twentieth of the package.
// Other comments stay, which say why to whoever debugs into a module.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ts = createRequire(import.meta.url)('typescript');

/** @param folder absolute; compiled modules */
export function stripDocs(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const stripped = withoutDocs(text);
    if (stripped !== text) writeFileSync(path, stripped);
  }
}

function withoutDocs(text) {
  const tree = ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const docs = new Map();
  const visit = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? [])
      if (text.startsWith('/**', pos)) docs.set(pos, end);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return [...docs]
    .sort(([a], [b]) => b - a)
    .reduce((rest, [pos, end]) => {
      const start = rest.lastIndexOf('\n', pos - 1) + 1;
      const isAlone = rest.slice(start, pos).trim() === '' && rest[end] === '\n';
      return isAlone ? rest.slice(0, start) + rest.slice(end + 1) : rest;
    }, text);
}
