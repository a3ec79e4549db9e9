import type { CrdDocument } from '../../../../src/kubernetes/crd/index.ts';
import { importCrd } from '../../../../src/compiler/import/index.ts';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import type { ImportedCrd } from '../../../../src/compiler/import/verify-imports.ts';
import { moduleRenderer } from '../../../../src/cli/actions/import/render-modules.ts';

/** A CRD of one version around a root schema; `number` keeps several of them apart. */
export function crdOf(root: JSONSchemaProps, number = 0): CrdDocument {
  const kind = `Sample${number}`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.toLowerCase()}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind, plural: `${kind.toLowerCase()}s` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: root } }],
    },
  };
}

/** A root with nothing but a `spec`. */
export function specOf(spec: JSONSchemaProps): JSONSchemaProps {
  return { type: 'object', properties: { spec } };
}

const render = await moduleRenderer('');

/** A CRD with the files that the importer makes of it. */
export function imported(crd: CrdDocument, clientOnly = false): ImportedCrd {
  return {
    crd,
    where: { object: crd.metadata.name },
    files: importCrd(crd, { clientOnly }).map(render),
  };
}

/** The only file of a CRD of one version. */
export function textOf(root: JSONSchemaProps, clientOnly = false): string {
  return imported(crdOf(root), clientOnly).files[0]?.content ?? '';
}
