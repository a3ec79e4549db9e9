/**
 * Converts CustomResourceDefinitions to TypeScript. First, the schemas read by `crd` are converted to a model of declarations
 * (`plan-*.ts`). Each planned tag is tested with the rule that will read it back. Then the model is printed (`print-*.ts`) as one file for
 * each version, plus files for types that the kinds of a group share. Finally, before anything is written, `verifyImports` generates the
 * definitions again from these files and compares them with the originals.
 */
export { importCodes } from './codes.ts';
export {
  importCrd,
  importGroup,
  type ImportedGroup,
  type ImportedModule,
  type ImportOptions,
} from './import-crd.ts';
export { isSharedFile, type SharedModule, type SharedText } from './shared-types.ts';
export { verifyImports, type GenerateCrds, type ImportedCrd } from './verify-imports.ts';
