// Makes src/sdk/k8s/generated and src/kubernetes/tables/generated from the OpenAPI v3 documents of a Kubernetes API server.
//
//   node scripts/generate-k8s.mjs --control-plane        start a test control plane and ask it (after npm run build)
//   node scripts/generate-k8s.mjs --from DIR             read the documents from files (apis/apps/v1 -> apis__apps__v1.json)
//   … --save DIR                                         keep the documents of --control-plane as such files
//   … --output-dir DIR                                   write somewhere else than into src
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { collect } from './generate-k8s/collect.mjs';
import { documentsOfControlPlane, readDocuments, saveDocuments } from './generate-k8s/documents.mjs';
import { tableFiles } from './generate-k8s/tables.mjs';
import { typeScriptFiles } from './generate-k8s/typescript.mjs';

const { values: options } = parseArgs({
  options: {
    'control-plane': { type: 'boolean' },
    from: { type: 'string' },
    save: { type: 'string' },
    'output-dir': { type: 'string' },
  },
});
if ((options.from === undefined) === (options['control-plane'] === undefined)) {
  throw new Error('give either --control-plane or --from DIR');
}

const documents = options.from === undefined ? await documentsOfControlPlane() : readDocuments(options.from);
if (options.save !== undefined) saveDocuments(documents, options.save);

const model = collect(documents);
const output = options['output-dir'] ?? join(dirname(fileURLToPath(import.meta.url)), '..', 'src');
const files = { ...typeScriptFiles(model), ...tableFiles(model) };
for (const folder of ['sdk/k8s/generated', 'kubernetes/tables/generated']) {
  rmSync(join(output, folder), { recursive: true, force: true });
}
for (const [path, content] of Object.entries(files)) {
  mkdirSync(dirname(join(output, path)), { recursive: true });
  writeFileSync(join(output, path), content);
}
console.log(
  `Kubernetes ${model.version}: ${model.types.size} types, ${model.kinds.length} kinds, ${Object.keys(files).length} files`,
);
