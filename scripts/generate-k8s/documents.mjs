// Where the OpenAPI documents come from: a running API server, or files. A document's name is its path: `apis/apps/v1`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

/** The built-in group versions: `apis/apps` is a document about discovery, `apis/example.com/v1` comes from a CRD. */
const isGroupVersion = (name) => /^(api|apis\/([a-z]+|[^/]+\.k8s\.io))\/v[^/]+$/.test(name);

/** @returns {Map<string, object>} */
export function readDocuments(folder) {
  const documents = new Map();
  for (const file of readdirSync(folder).sort()) {
    const name = file.replace(/\.json$/, '').replaceAll('__', '/');
    if (file.endsWith('.json') && isGroupVersion(name)) {
      documents.set(name, JSON.parse(readFileSync(join(folder, file), 'utf8')));
    }
  }
  if (documents.size === 0) throw new Error(`no OpenAPI documents in ${folder}`);
  return documents;
}

export function saveDocuments(documents, folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, document] of documents) {
    writeFileSync(join(folder, `${name.replaceAll('/', '__')}.json`), JSON.stringify(document));
  }
}

/** Starts a control plane of the default version for as long as it takes. */
export async function documentsOfControlPlane() {
  const { startControlPlane } = await import('../../dist/testing/index.js');
  const plane = await startControlPlane();
  try {
    const { paths } = await get(plane, '/openapi/v3');
    const documents = new Map();
    for (const name of Object.keys(paths).filter(isGroupVersion).sort()) {
      documents.set(name, await get(plane, paths[name].serverRelativeURL));
    }
    return documents;
  } finally {
    await plane.stop();
  }
}

function get(plane, path) {
  const { certificate, key } = plane.credentials;
  return new Promise((resolve, reject) => {
    request(new URL(path, plane.url), { ca: plane.caCertificate, cert: certificate, key }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`GET ${path}: ${response.statusCode} ${text}`));
      });
    })
      .on('error', reject)
      .end();
  });
}
