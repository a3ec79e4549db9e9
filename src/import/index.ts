/**
 * From CustomResourceDefinitions to TypeScript: documents are read and checked (`readCrds`), schemas become a model of declarations
 * (`plan-*.ts`, which tries each tag with the rule that will read it), and that is printed (`print-*.ts`), one file for each version.
 * Whether the files give the same CRD back is decided by `compareCrds`, on the one form that `normalizeCrd` brings both into.
 * Pure: it reads and writes no files.
 */
export type { CrdDocument } from './crd.ts';
export { importCrd, type ImportedModule, type ImportOptions } from './import-crd.ts';
export { compareCrds, normalizeCrd, normalizeSchema, type CrdDifference } from './normalize-crd.ts';
export {
  crdsOf,
  readCrds,
  uniqueCrds,
  type ReadCrd,
  type ReadCrds,
  type SourceDocument,
} from './read-crds.ts';
