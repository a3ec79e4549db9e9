import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import type { Place } from '../../../images/index.ts';
import { compareCodeUnits, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import { CatalogFindings } from '../findings.ts';
import { parseDocument, documentText } from '../read/parse-document.ts';
import { catalogDocuments } from '../read/catalog-documents.ts';
import { checkDocument } from '../read/read-catalog.ts';
import { type DocumentSource, catalogLimits } from '../types.ts';
import { isTemplateSchema, renderFix, unknownSchema } from '../rules/check-deprecations.ts';
import { knownDocument } from './known-document.ts';

/** A document to be written to a catalogue. Its contents are loaded only when they are needed. */
export interface RenderedDocument {
  readonly schema: string;
  /** Name of the package; `''` for a document without a package. */
  readonly packageName: string;
  readonly name: string;
  /** Finding for an unknown schema that resembles a schema of OLM. */
  readonly unknown?: Finding | undefined;
  /** Reads the contents of the document, in the form in which opm writes them. */
  load(): Promise<JsonMap>;
}

export function documentInMemory(value: JsonMap, unknown?: Finding): RenderedDocument {
  const schema = jsonTextOf(value['schema']);
  return { ...namesOf(schema, value), unknown, load: () => Promise.resolve(value) };
}

function namesOf(schema: string, value: JsonMap): Omit<RenderedDocument, 'load' | 'unknown'> {
  const name = jsonTextOf(value['name']);
  const packageName = schema === 'olm.package' ? name : jsonTextOf(value['package']);
  // Copy the texts. A text that is not copied could keep the entire document in memory.
  return JSON.parse(JSON.stringify({ schema, packageName, name })) as Omit<
    RenderedDocument,
    'load' | 'unknown'
  >;
}

/**
 * Returns the documents of a catalogue. Checks each document, but not its references to other documents. The contents of a document are
 * read a second time when it is written.
 * @throws OpSdkError with all findings
 */
export async function documentsIn(place: Place): Promise<readonly RenderedDocument[]> {
  const findings = new CatalogFindings();
  const documents: RenderedDocument[] = [];
  for await (const document of catalogDocuments(place, findings, { exact: true })) {
    checkDocument(document, findings);
    const { source, schema, value } = document;
    const load = async (): Promise<JsonMap> => {
      const bytes = Buffer.from(await documentText(source));
      const budget = { left: catalogLimits.documentValues };
      const values = parseDocument({ bytes, line: source.line, start: 0 }, source.file, {
        budget,
        exact: true,
      });
      const [again] = values as readonly JsonMap[];
      if (again === undefined || values.length > 1) throw changed(source.file);
      return knownDocument(schema, again);
    };
    if (isTemplateSchema(schema)) findings.addAll([templateInside(schema, source)]);
    documents.push({ ...namesOf(schema, value), unknown: unknownSchema(schema, source), load });
  }
  const all = await findings.finish();
  if (all.length > 0) throw new OpSdkError(all);
  return documents;
}

/**
 * Returns the finding for a template in a catalogue folder. A file in a folder would be read as documents of the catalogue. Therefore, a
 * template can only be rendered when it is given as a single file.
 */
function templateInside(schema: string, { file, line }: DocumentSource): Finding {
  return {
    code: 'catalog/not-renderable',
    message: `expected documents of a catalogue, got a template (schema ${schema}), which has to be rendered on its own`,
    where: { file, line, column: 1 },
    fix: [renderFix(schema, file)],
  };
}

function changed(file: string): OpSdkError {
  return new OpSdkError({
    code: 'io/cannot-read',
    message: `${file} has changed while it was read`,
    where: { file },
    fix: ['run the command again'],
  });
}

const order = ['olm.package', 'olm.channel', 'olm.bundle', '', 'olm.deprecations'];

/** Sorts documents in the order of opm: by package; documents without a package come last. */
export function inWrittenOrder(documents: readonly RenderedDocument[]): readonly RenderedDocument[] {
  const rank = ({ schema }: RenderedDocument): number => order.indexOf(order.includes(schema) ? schema : '');
  return [...documents].sort((a, b) => {
    if (a.packageName !== b.packageName) {
      if (a.packageName === '' || b.packageName === '') return a.packageName === '' ? 1 : -1;
      return compareCodeUnits(a.packageName, b.packageName);
    }
    if (a.packageName === '') return 0;
    const byRank = rank(a) - rank(b);
    if (byRank !== 0) return byRank;
    if (a.schema === 'olm.channel' || a.schema === 'olm.bundle') return compareCodeUnits(a.name, b.name);
    return compareCodeUnits(a.schema, b.schema);
  });
}
