import { createReadStream } from 'node:fs';
import { isOpSdkError, OpSdkError } from '../../../base/errors/index.ts';
import type { Place } from '../../../images/index.ts';
import { errnoOf, errnoText } from '../../../base/util/fs.ts';
import { isJsonMap, type JsonMap } from '../../../base/util/json-map.ts';
import { describeJson } from '../../../base/util/read-json.ts';
import { cutBytes, type DocumentBytes, tooLargeYaml } from '../../../kubernetes/yaml/index.ts';
import type { CatalogFindings } from '../findings.ts';
import { type DocumentSource, catalogLimits } from '../types.ts';
import { listCatalogFiles, type CatalogFile } from './list-files.ts';
import { parseDocument, type ValueBudget } from './parse-document.ts';

/** A document of a catalogue that has the field `schema`. */
export interface CatalogDocument {
  readonly source: DocumentSource;
  readonly schema: string;
  readonly value: JsonMap;
}

interface Reading {
  readonly findings: CatalogFindings;
  readonly budget: ValueBudget;
  readonly exact: boolean;
}

/**
 * Yields the documents of a catalogue one by one, so that only one document is in memory. Reports faulty documents to `findings`, leaves
 * them out, and continues with the next document.
 * @param options.exact true to refuse integers that JavaScript cannot represent; required if the documents are written again
 * @throws OpSdkError if the input is not a catalogue, or is too large
 */
export async function* catalogDocuments(
  place: Place,
  findings: CatalogFindings,
  { exact = false }: { readonly exact?: boolean } = {},
): AsyncGenerator<CatalogDocument> {
  const reading = { findings, budget: { left: catalogLimits.values }, exact };
  let documents = 0;
  for (const file of await listCatalogFiles(place, findings)) {
    for await (const bytes of documentsOf(file)) {
      for (const value of valuesOf(bytes, file, reading)) {
        if (findings.isFull) return;
        if (++documents > catalogLimits.documents) throw tooMany(file, bytes.line);
        const document = documentOf(value, bytes, file, findings);
        if (document !== undefined) yield document;
      }
    }
  }
}

async function* documentsOf({ path, file }: CatalogFile): AsyncGenerator<DocumentBytes> {
  const tooLarge = (line: number): Error =>
    new OpSdkError({
      code: 'io/too-large',
      message: `the file contains a document of more than ${catalogLimits.documentBytes} bytes`,
      where: { file, line, column: 1 },
      fix: ['name the folder or the file of a catalogue'],
    });
  try {
    const chunks = createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
    yield* cutBytes(chunks, catalogLimits.documentBytes, tooLarge);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    const message = `cannot read ${file}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file } }, { cause: error });
  }
}

/** Returns the values of a document. If the document cannot be read, reports findings and returns an empty list. */
function valuesOf(
  bytes: DocumentBytes,
  { file }: CatalogFile,
  { findings, budget, exact }: Reading,
): readonly unknown[] {
  if (budget.left <= 0)
    throw new OpSdkError(tooLargeYaml('values', { file, line: bytes.line, column: 1 }, catalogLimits.values));
  try {
    return parseDocument(bytes, file, { budget, exact });
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    findings.addAll(error.findings);
    return [];
  }
}

function documentOf(
  value: unknown,
  { bytes, start, line }: DocumentBytes,
  { path, file }: CatalogFile,
  findings: CatalogFindings,
): CatalogDocument | undefined {
  const source = { path, file, start, length: bytes.length, line };
  if (!isJsonMap(value)) {
    const message = `expected a document with a schema, got ${describeJson(value)}`;
    findings.add('catalog/no-schema', [source, []], message, 'remove it from the catalogue', ignoreFix);
    return undefined;
  }
  const { schema } = value;
  if (typeof schema === 'string' && schema !== '') return { source, schema, value };
  const meant = Object.keys(value).find((key) => key !== 'schema' && key.toLowerCase() === 'schema');
  if (meant !== undefined)
    findings.add(
      'catalog/field-case',
      [source, [meant]],
      `${meant}: expected the field name schema`,
      'write schema',
    );
  else if (schema !== undefined && schema !== '')
    findings.add(
      'catalog/no-schema',
      [source, ['schema']],
      `schema: expected a text, got ${describeJson(schema)}`,
      'write a text such as olm.bundle',
    );
  else
    findings.add(
      'catalog/no-schema',
      [source, []],
      'the document has no schema',
      'write one, such as schema: olm.bundle',
      ignoreFix,
    );
  return undefined;
}

const ignoreFix = 'list the file in .indexignore, if it is not a part of the catalogue';

function tooMany({ file }: CatalogFile, line: number): OpSdkError {
  return new OpSdkError({
    code: 'io/too-large',
    message: `the catalogue has more than ${catalogLimits.documents} documents`,
    where: { file, line, column: 1 },
    fix: ['split the catalogue by its packages'],
  });
}
