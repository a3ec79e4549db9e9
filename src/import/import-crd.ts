import { normalizeSchema, type CrdDocument, type CrdVersion } from '../crd/index.ts';
import { nameDeclarations } from './name-declarations.ts';
import { createNames, kindIdentifier } from './names.ts';
import { planRoot } from './plan-root.ts';
import { createPlanner } from './plan-types.ts';
import { printDeclared, printInterface } from './print-declarations.ts';
import { printValue, resourceDefinition } from './print-resource.ts';
import { createImports, type PrintContext } from './print-types.ts';

export interface ImportOptions {
  /** Types and a token for clients: no CRD can be made of them, so tags and defaults are left out. */
  readonly clientOnly: boolean;
}

/** A TypeScript file in its parts, for the template that frames it. */
export interface ImportedModule {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly imports: readonly { readonly from: string; readonly clause: string }[];
  /** The interfaces, that of the kind last. */
  readonly declarations: readonly string[];
  /** The declaration of the kind's token. */
  readonly resource: string;
}

/**
 * One TypeScript file for each version of a CRD. Generating manifests from them gives the CRD back, spec and own metadata.
 *
 * @param crd checked by `readCrds`
 */
export function importCrd(crd: CrdDocument, options: ImportOptions): readonly ImportedModule[] {
  return crd.spec.versions.map((version) => importVersion(crd, version, options));
}

function importVersion(crd: CrdDocument, version: CrdVersion, { clientOnly }: ImportOptions): ImportedModule {
  const { group, scope, names: crdNames } = crd.spec;
  const name = kindIdentifier(crdNames.kind);
  const planner = createPlanner({ clientOnly });
  const root = planRoot(planner, normalizeSchema(version.schema.openAPIV3Schema));
  const names = createNames([name]);
  const named = nameDeclarations(name, root.fields, names);
  const imports = createImports(names);
  const context: PrintContext = { named, imports, names };
  const exact = !clientOnly;
  const declarations = [...named.values()].map((item) => printDeclared(context, item, exact));
  declarations.push(
    printInterface(
      context,
      {
        name,
        description: root.description,
        tags: exact ? root.tags : [],
        fields: root.fields,
        base: `${imports.type('opsdk', 'CustomResource')}<${printValue(`${group}/${version.name}`)}, ${printValue(crdNames.kind)}>`,
        open: clientOnly && root.open,
      },
      exact,
    ),
  );
  const token = { group, version: version.name, kind: crdNames.kind, plural: crdNames.plural, scope };
  const resource = clientOnly
    ? `export const ${name} = ${imports.value('opsdk', 'externalResource')}<${name}>(${printValue(token)});`
    : `export const ${name} = ${imports.value('opsdk', 'defineResource')}<${name}>(${printValue(resourceDefinition(crd, version, root))});`;
  return {
    group,
    version: version.name,
    kind: crdNames.kind,
    imports: imports.clauses(),
    declarations,
    resource,
  };
}
