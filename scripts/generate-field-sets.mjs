// Makes src/kubernetes/tables/releases/generated/field-sets.ts: the fields that types of Kubernetes had in earlier releases, where these differ.
//
//   node scripts/generate-field-sets.mjs DIR…     a folder of OpenAPI v3 documents for each release, the oldest first
//
// Each release has them in its Go module: `go mod download -json k8s.io/kubernetes@v1.28.15`, folder api/openapi-spec/v3.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { byCodePoint } from './generate-k8s/names.mjs';

/** The group versions whose types operators embed. */
const documentNames =
  /^(api|apis__(apps|batch|autoscaling|networking\.k8s\.io|rbac\.authorization\.k8s\.io))__v[12]_openapi\.json$/;
const embedded = /\.(core|apps|batch|networking|rbac)\.v1\.\w+$|\.autoscaling\.v2\.\w+$|\.meta\.v1\.\w+$/;

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error('usage: node scripts/generate-field-sets.mjs DIR…');

const found = new Map();
const releases = [];
for (const folder of folders) {
  const files = readdirSync(folder).filter((file) => documentNames.test(file));
  const types = new Map();
  for (const file of files) {
    const document = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const [name, { properties }] of Object.entries(document.components.schemas))
      if (embedded.test(name) && properties !== undefined) types.set(name, properties);
  }
  if (types.size === 0) throw new Error(`no types in ${folder}`);
  releases.push(releaseOf(folder));
  for (const [name, properties] of types) {
    if (isList(properties)) continue;
    const fields = Object.keys(properties).sort(byCodePoint).join(' ');
    if (!found.has(name)) found.set(name, new Map());
    found.get(name).set(fields, [...(found.get(name).get(fields) ?? []), releases.length - 1]);
  }
}

/** The version is in the folder's name: `…/kubernetes@v1.28.15/api/openapi-spec/v3`, `docs/1.28.15`. */
function releaseOf(folder) {
  const match = /\b1\.\d+\b/.exec(folder.replace(/.*@v/, ''));
  if (match === null) throw new Error(`${folder} does not name its release`);
  return match[0];
}

function isList({ items, metadata }) {
  return items !== undefined && JSON.stringify(metadata ?? {}).includes('ListMeta');
}

// A type of all these releases with the same fields in each is in the table of the newest one.
const lines = [...found]
  .filter(([, sets]) => sets.size > 1 || [...sets.values()][0].length < releases.length)
  .sort(([a], [b]) => byCodePoint(a, b))
  .map(([name, sets]) => `  '${name}': [${[...sets.keys()].map((fields) => `'${fields}'`).join(', ')}],\n`);

const text = `// Made by scripts/generate-field-sets.mjs from the OpenAPI documents of Kubernetes ${releases[0]} to ${releases.at(-1)}. Do not edit.

/** The fields of types whose fields are not the same in all these releases, by type name: sorted names, oldest release first. */
export const fieldSets: Readonly<Record<string, readonly string[]>> = {
${lines.join('')}};
`;
const output = join(
  dirname(fileURLToPath(import.meta.url)),
  '..',
  'src/kubernetes/tables/releases/generated/field-sets.ts',
);
writeFileSync(output, text);
console.log(`Kubernetes ${releases.join(', ')}: ${lines.length} types with several sets of fields`);
