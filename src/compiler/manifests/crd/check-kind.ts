import { checkCrd, type FieldPath, type Violation } from '../../../kubernetes/crd/index.ts';
import { placed, type PlacedViolations } from '../../../kubernetes/crd/document/placed-violations.ts';
import type { CustomKind } from './check-group.ts';
import { crdDocument } from './crd-document.ts';
import type { DeclaredVersion } from './declared-version.ts';
import { placeOfField } from './place-of-field.ts';

/** Codes that only a complete schema can decide. */
const ofSchema: ReadonlySet<string> = new Set<Violation['code']>([
  'crd/schema',
  'crd/cel-rule',
  'crd/selectable-field',
  'crd/scale',
  'crd/scale-path',
  'crd/printer-column-path',
  'crd/printer-column-type',
]);

/** Checks the CustomResourceDefinition of a kind by the rules of the API server. Violations are at the places of the sources; warnings that its authors allow are left out. */
export function checkKind(kind: CustomKind<DeclaredVersion>): PlacedViolations {
  const concerns = ({ path, code }: Violation): boolean => {
    // Several declarations of one version have a finding of their own.
    if (code === 'crd/duplicate-version') return false;
    const version = versionAt(kind, path);
    if (version === undefined) return true;
    return (version.hasSchema || !ofSchema.has(code)) && !version.allows.allows(code);
  };
  return placed(checkCrd(crdDocument(kind)).filter(concerns), (path) => placeOfField(kind, path));
}

function versionAt(
  kind: CustomKind<DeclaredVersion>,
  [, part, index]: FieldPath,
): DeclaredVersion | undefined {
  return part === 'versions' && typeof index === 'number' ? kind.versions[index] : undefined;
}
