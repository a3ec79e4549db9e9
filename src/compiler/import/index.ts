/**
 * Converts CustomResourceDefinitions to TypeScript: the schemas read by `crd` become a model of declarations (`plan-*.ts`, which tries each
 * tag with the rule that will read it), which is printed (`print-*.ts`) as one file for each version, plus files for types that the kinds
 * of a group share. `verifyImports` generates the definitions again from these files and compares them, before anything is written.
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
