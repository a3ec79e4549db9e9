import type ts from 'typescript';
import type { Finding } from '../errors/index.ts';
import { readerOf } from './engine/index.ts';
import {
  isProjectFile,
  isSchemaExport,
  placeInProject,
  placeOf,
  type SchemaExport,
  type SourcePlace,
  type SourceProgram,
} from '../source/index.ts';
import { kindDescriptors, noDescriptors, type KindDescriptors } from './descriptors/kind-descriptors.ts';
import { blame, finalCheck } from './final-check.ts';
import { guard } from './guard/guard.ts';
import type { JSONSchemaProps } from '../crd/json-schema-props.ts';
import { generateLibrarySchema } from './library/library-schema.ts';
import { lintSchema } from './lints/index.ts';
import type { FieldColumn } from './printer-columns.ts';
import { createSchemaReporter, type TagUse, type Reporter } from './reporter.ts';
import { checkRootKeywords } from './root-keywords.ts';
import { rootSchema, type StandardFields } from './root-schema.ts';
import { tooManyParts } from './schema-size.ts';
import type { Shape } from './shape.ts';
import { schemaOfShape } from './structural.ts';
import type { SchemaPath } from '../crd/rules/schema/index.ts';
import type { TaggedPath } from './tagged-fields.ts';

/** The schema of one version of a kind. */
export interface GeneratedSchema {
  /** The root schema, `openAPIV3Schema`. Only meaningful without findings. */
  readonly schema: JSONSchemaProps;
  /** What keeps the schema from being right, sorted by place. */
  readonly findings: readonly Finding[];
  /** Advice; the schema is right without it. */
  readonly warnings: readonly Finding[];
  /** Which `@allow` tags had a warning to allow; only who knows all kinds can tell that one is of no use. */
  readonly allows: TagUse;
  /** What user interfaces of OLM show of the kind: no part of the CRD. */
  readonly descriptors: KindDescriptors;
  /** From `@printerColumn` tags, in the order of the fields. */
  readonly printerColumns: readonly FieldColumn[];
  /** From `@selectable` tags, in the order of the fields. */
  readonly selectableFields: readonly TaggedPath[];
  /** From `@scale` tags. */
  readonly scale: {
    readonly spec?: TaggedPath;
    readonly status?: TaggedPath;
    readonly selector?: TaggedPath;
  };
  /**
   * Where a part of the schema comes from: its tag, else the innermost field or type of the project on the way. Only with `places`.
   * @param path from the root, such as `['properties', 'spec', 'maximum']`
   */
  readonly placeOf?: (path: SchemaPath) => SourcePlace;
}

export interface SchemaOptions {
  /** How `apiVersion`, `kind` and `metadata` stand in the schema. Default: all three, none required, the first two with Kubernetes' descriptions. */
  readonly standardFields?: StandardFields;
  /** Keep the descriptions of built-in Kubernetes types. Default: false, for they are many times as large as the schema. */
  readonly embeddedDescriptions?: boolean;
  /** Whether the kind has a status subresource, which allows fewer keywords at the root. Default: if the interface has a field `status`. */
  readonly status?: boolean;
  /** Keep what `GeneratedSchema.placeOf` needs, which is many times as much as the schema. Default: false. */
  readonly places?: boolean;
}

const reserved = ['apiVersion', 'kind', 'metadata'];

/**
 * The CRD schema of a kind.
 *
 * @param source a program without syntax errors (`SourceProgram.diagnostics` is empty)
 * @param type the interface that extends CustomResource, or its name if it is unique in the project; or the schema of a library
 */
export function generateSchema(
  source: SourceProgram,
  type: ts.InterfaceDeclaration | SchemaExport | string,
  options: SchemaOptions = {},
): GeneratedSchema {
  if (typeof type !== 'string' && isSchemaExport(type)) return generateLibrarySchema(source, type, options);
  const declaration = typeof type === 'string' ? findInterface(source, type) : type;
  const nothing = {
    schema: {},
    warnings: [],
    allows: { used: [], unused: [] },
    descriptors: noDescriptors,
    printerColumns: [],
    selectableFields: [],
    scale: {},
  };
  if ('code' in declaration) return { ...nothing, findings: [declaration] };
  const { shape, isResource } = readerOf(source, options.embeddedDescriptions).resource(declaration);
  const reporter = createSchemaReporter(source);
  checkRoot(reporter, declaration, shape, isResource);
  const tooLarge = tooManyParts(shape, declaration.name.text);
  if (tooLarge !== undefined) {
    reporter.error(tooLarge.problem, tooLarge.docTrail);
    return { ...nothing, findings: reporter.findings };
  }
  const { root, fields } = schemaOfShape(shape, reporter);
  const hasStatus = options.status ?? Object.hasOwn(root.schema.properties ?? {}, 'status');
  checkRootKeywords(reporter, declaration, shape, root.schema, hasStatus);
  const schema = rootSchema(root.schema, options.standardFields);
  finalCheck(schema, root, reporter);
  lintSchema(root, reporter);
  const descriptors = kindDescriptors(root, reporter);
  // With findings the schema is incomplete, and the comparison would only repeat them.
  if (reporter.findings.length === 0) guard(source, declaration, root, reporter);
  return {
    schema,
    findings: reporter.findings,
    warnings: reporter.warnings,
    allows: reporter.allows,
    descriptors,
    printerColumns: fields.columns,
    selectableFields: fields.selectable,
    scale: fields.scale,
    ...(options.places === true
      ? {
          placeOf: (path) => {
            const { tag, docTrail } = blame(schema, root, path);
            return reporter.nearest(tag, docTrail) ?? placeOf(source, declaration.name);
          },
        }
      : {}),
  };
}

function checkRoot(
  reporter: Reporter,
  node: ts.InterfaceDeclaration,
  shape: Shape,
  isResource: boolean,
): void {
  const at = { file: node.getSourceFile(), position: node.name.getStart() };
  if (!isResource) {
    reporter.error(
      {
        code: 'schema/not-a-resource',
        message: `the interface ${node.name.text} of a kind does not extend CustomResource`,
        fix: [
          `write \`export interface ${node.name.text} extends CustomResource\`, with CustomResource from 'opsdk'`,
        ],
        at,
      },
      shape.docs,
    );
  }
  const properties = shape.form.kind === 'object' ? shape.form.properties : [];
  for (const { name, shape: field } of properties.filter((property) => reserved.includes(property.name))) {
    const message = `the field ${name} comes with CustomResource and has a fixed schema`;
    reporter.error({ code: 'schema/not-a-resource', message, fix: ['remove the field'] }, field.docs);
  }
}

function findInterface(source: SourceProgram, name: string): ts.InterfaceDeclaration | Finding {
  const { ts, program } = source;
  const found = program
    .getSourceFiles()
    .filter((file) => isProjectFile(program, file))
    .flatMap((file) => file.statements.filter((item) => ts.isInterfaceDeclaration(item)))
    .filter((item) => item.name.text === name);
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  if (first === undefined) {
    return {
      code: 'schema/no-such-type',
      message: `the project has no interface ${name}`,
      fix: [`declare \`export interface ${name} extends CustomResource { … }\``],
    };
  }
  return {
    code: 'schema/no-such-type',
    message: `the name ${name} is not unique: ${found.length} interfaces of the project have it`,
    where: placeInProject(source.projectDir, first.getSourceFile(), first.name.getStart()),
    fix: ['name the interface by its declaration'],
  };
}
