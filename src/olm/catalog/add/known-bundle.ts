import { isDeepStrictEqual } from 'node:util';
import { OpSdkError } from '../../../base/errors/index.ts';
import { jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { documentText } from '../read/document-text.ts';
import { parseDocument } from '../read/parse-document.ts';
import { knownDocument } from '../render/known-document.ts';
import { catalogLimits } from '../limits.ts';
import type { Catalog } from '../types.ts';

/**
 * Returns true if a catalogue has a bundle already.
 * @throws OpSdkError `catalog/duplicate` if it has another one of the same name
 */
export async function isInCatalog({ bundles }: Catalog, document: JsonMap): Promise<boolean> {
  const [packageName, name] = [jsonTextOf(document['package']), jsonTextOf(document['name'])];
  const known = bundles.find((bundle) => bundle.packageName === packageName && bundle.name === name);
  if (known === undefined) return false;
  const { source } = known;
  const bytes = { bytes: Buffer.from(await documentText(source)), line: source.line, start: source.start };
  const budget = { left: catalogLimits.documentValues };
  const [value] = parseDocument(bytes, source.file, { budget, exact: true });
  const [before, after] = [value, document].map((each) => knownDocument('olm.bundle', each as JsonMap));
  if (isDeepStrictEqual(before, after)) return true;
  throw new OpSdkError({
    code: 'catalog/duplicate',
    message: `the catalogue has the bundle ${name} already, with other content`,
    where: { file: source.file, line: source.line, column: 1 },
    fix: [
      'give the bundle a new version; clusters may have installed the former one',
      'or remove its document from the catalogue, and run the command again',
    ],
  });
}
