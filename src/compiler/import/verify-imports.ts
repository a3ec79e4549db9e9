import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isOpSdkError, type Finding, type Where } from '../../base/errors/index.ts';
import { compareCrds, type CrdDifference, type CrdDocument } from '../../kubernetes/crd/index.ts';

/**
 * Generates CustomResourceDefinitions from TypeScript files.
 *
 * @param projectDir an empty folder
 * @param texts contents of the files, by path relative to the folder
 * @throws OpSdkError if something cannot be generated
 */
export type GenerateCrds = (projectDir: string, texts: ReadonlyMap<string, string>) => readonly unknown[];

/** A CRD, and the TypeScript files that were generated from it. */
export interface ImportedCrd {
  readonly crd: CrdDocument;
  /** Position from which the CRD was read. */
  readonly where: Where;
  /** Reasons why the API server would reject the CRD. The files then cannot reproduce the CRD, so it is not verified. Default: none. */
  readonly refusals?: readonly Finding[];
  /** Files that were generated from the CRD. Their paths are relative to the folder of the APIs, with forward slashes. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

/**
 * Maximum number of characters of TypeScript in one run of the generator. It is large enough to make the startup time of the generator
 * negligible, and small enough for its memory.
 */
const BATCH = 2_000_000;
/** Maximum number of differences reported for one CRD. */
const MOST_DIFFERENCES = 20;

/**
 * Generates CRDs in memory from imported files, and compares them with the CRDs that were imported.
 *
 * @returns findings for each CRD that is not reproduced: `import/not-faithful`, or the reasons why the API server would reject the CRD.
 * CRDs that are reproduced are omitted
 */
export function verifyImports(
  imports: readonly ImportedCrd[],
  generateCrds: GenerateCrds,
): ReadonlyMap<ImportedCrd, readonly Finding[]> {
  // Use an empty project, so that the user's settings and other files do not affect the result.
  const projectDir = mkdtempSync(path.join(tmpdir(), 'op-sdk-import-'));
  try {
    const found = new Map<ImportedCrd, readonly Finding[]>();
    for (const imported of imports) {
      const { refusals = [] } = imported;
      if (refusals.length > 0) found.set(imported, refusals);
    }
    const acceptable = imports.filter((imported) => !found.has(imported));
    for (const batch of batches(acceptable)) verifyBatch(projectDir, batch, found, generateCrds);
    return found;
  } finally {
    rmSync(projectDir, { recursive: true, force: true });
  }
}

function* batches(imports: readonly ImportedCrd[]): Generator<readonly ImportedCrd[]> {
  let batch: ImportedCrd[] = [];
  let size = 0;
  for (const imported of imports) {
    const own = imported.files.reduce((sum, { content }) => sum + content.length, 0);
    if (batch.length > 0 && size + own > BATCH) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(imported);
    size += own;
  }
  if (batch.length > 0) yield batch;
}

function verifyBatch(
  projectDir: string,
  batch: readonly ImportedCrd[],
  found: Map<ImportedCrd, readonly Finding[]>,
  generateCrds: GenerateCrds,
): void {
  const [first] = batch;
  if (first === undefined) return;
  const generated = generate(projectDir, batch, generateCrds);
  if (!Array.isArray(generated)) {
    for (const imported of batch) compare(imported, (generated as Generated).documents, found);
    return;
  }
  const refused = generated as readonly Finding[];
  const byCrd = new Map<ImportedCrd, Finding[]>();
  for (const finding of refused) {
    const owner = batch.length === 1 ? first : ownerOf(batch, finding);
    if (owner !== undefined) byCrd.set(owner, [...(byCrd.get(owner) ?? []), finding]);
  }
  for (const [imported, findings] of byCrd)
    found.set(
      imported,
      findings.map((item) => refusal(imported, item)),
    );
  // A finding in one file prevents the generation of all others. Try again without this file; if no file is named, try the CRDs one by one.
  const rest = batch.filter((imported) => !byCrd.has(imported));
  if (byCrd.size > 0) verifyBatch(projectDir, rest, found, generateCrds);
  else for (const imported of rest) verifyBatch(projectDir, [imported], found, generateCrds);
}

interface Generated {
  readonly documents: ReadonlyMap<string, unknown>;
}

function generate(
  projectDir: string,
  batch: readonly ImportedCrd[],
  generateCrds: GenerateCrds,
): Generated | readonly Finding[] {
  const texts = new Map(
    batch.flatMap(({ files }) => files.map((file) => [file.path, file.content] as const)),
  );
  try {
    const named = generateCrds(projectDir, texts).map((document) => [nameOf(document), document] as const);
    return { documents: new Map(named) };
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return error.findings;
  }
}

function nameOf(document: unknown): string {
  return (document as { readonly metadata: { readonly name: string } }).metadata.name;
}

function ownerOf(batch: readonly ImportedCrd[], { where }: Finding): ImportedCrd | undefined {
  if (where === undefined || !('file' in where)) return undefined;
  const [only, second] = batch.filter(({ files }) => files.some((file) => file.path === where.file));
  // If several CRDs use the faulty file, it is unknown which of them need the faulty part.
  return second === undefined ? only : undefined;
}

function compare(
  imported: ImportedCrd,
  documents: ReadonlyMap<string, unknown>,
  found: Map<ImportedCrd, readonly Finding[]>,
): void {
  const differences = compareCrds(imported.crd, documents.get(imported.crd.metadata.name));
  if (differences.length === 0) return;
  const reported = differences
    .slice(0, MOST_DIFFERENCES)
    .map((item) => notFaithful(imported, describe(item)));
  const more = differences.length - reported.length;
  found.set(
    imported,
    more === 0 ? reported : [...reported, notFaithful(imported, `${more} more differences`)],
  );
}

function describe({ path: place, left, right }: CrdDifference): string {
  const show = (value: unknown): string => {
    const text = value === undefined ? 'nothing' : JSON.stringify(value);
    return text.length > 120 ? `${text.slice(0, 117)}...` : text;
  };
  return `${place} is ${show(left)} in the imported CRD, but would be ${show(right)} in the generated one`;
}

function refusal(imported: ImportedCrd, { code, message, where }: Finding): Finding {
  const place = where !== undefined && 'file' in where ? ` (${where.file}:${where.line ?? 1})` : '';
  return notFaithful(imported, `the generated definition is refused: ${message} [${code}]${place}`);
}

function notFaithful({ crd, where }: ImportedCrd, message: string): Finding {
  return {
    code: 'import/not-faithful',
    message: `${crd.metadata.name}: ${message}`,
    where,
    fix: [
      'import the CustomResourceDefinition with --client-only, for its types alone',
      'pass --allow-loss to write the types without what is lost',
    ],
  };
}
