import type ts from 'typescript';
import type { Finding } from '../../base/errors/index.ts';
import {
  isProjectFile,
  isSchemaExport,
  placeInProject,
  placeOf,
  type SchemaExport,
  type SourceProgram,
} from '../source/index.ts';
import { type JSONSchemaProps, besideStatus } from '../../kubernetes/crd/index.ts';
import { readerOf } from './engine/index.ts';
import { kindDescriptors } from './descriptors/kind-descriptors.ts';
import { blame, finalCheck } from './final-check.ts';
import { guard } from './guard/guard.ts';
import { generateLibrarySchema } from './library/library-schema.ts';
import { lintSchema } from './lints/index.ts';
import {
  nothingGenerated,
  type GeneratedSchema,
  type SchemaOptions,
  rootSchema,
} from './generated-schema.ts';
import { createSchemaReporter, type Reporter } from './reporter.ts';
import { tooManyParts } from './schema-size.ts';
import type { Shape, Tag } from './shape.ts';
import { schemaOfShape } from './structural.ts';
import { tagProblem } from './tags/apply-tags.ts';
import { parseK8s } from './tags/values.ts';

const reserved = ['apiVersion', 'kind', 'metadata'];

/**
 * Generates the CRD schema of a kind.
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
  if ('code' in declaration) return { ...nothingGenerated, findings: [declaration] };
  const { shape, isResource } = readerOf(source, options.embeddedDescriptions).resource(declaration);
  const reporter = createSchemaReporter(source);
  checkRoot(reporter, declaration, shape, isResource);
  const tooLarge = tooManyParts(shape, declaration.name.text);
  if (tooLarge !== undefined) {
    reporter.error(tooLarge.problem, tooLarge.docTrail);
    return { ...nothingGenerated, findings: reporter.findings };
  }
  const { root, fields } = schemaOfShape(shape, reporter);
  const hasStatus = options.status ?? Object.hasOwn(root.schema.properties ?? {}, 'status');
  checkRootKeywords(reporter, declaration, shape, root.schema, hasStatus);
  const schema = rootSchema(root.schema, options.standardFields);
  finalCheck(schema, root, reporter);
  lintSchema(root, reporter);
  const descriptors = kindDescriptors(root, reporter);
  // If errors have already been found, the schema is incomplete, and the comparison with the type checker would only repeat these errors.
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
    const message = `the field ${name} cannot be declared here: CustomResource already declares it, with a fixed schema`;
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
    fix: ['pass the declaration of the interface in place of its name'],
  };
}

/**
 * Keywords that the API server does not accept at the root of a schema. For example, a default for the root would have to contain
 * apiVersion and kind. Source: apiextensions `validation.go`, measured with Kubernetes 1.36.3.
 */
const never: readonly (keyof JSONSchemaProps)[] = ['nullable', 'default', 'additionalProperties'];

/** Schema keywords that a tag sets although the tag has a different name, by the name of the tag. */
const keywordOf: Readonly<Record<string, keyof JSONSchemaProps>> = {
  embeddedResource: 'x-kubernetes-embedded-resource',
  mapType: 'x-kubernetes-map-type',
};

/**
 * Rejects keywords that the API server does not accept at the root of a schema. Reports each keyword at the tag that sets it, or at the
 * interface if no tag sets it.
 */
function checkRootKeywords(
  reporter: Reporter,
  node: ts.InterfaceDeclaration,
  shape: Shape,
  schema: JSONSchemaProps,
  hasStatus: boolean,
): void {
  const inherited = shape.form.kind === 'object' ? shape.form.inherited : [];
  const tags = [...shape.docs, ...inherited].flatMap((doc) => doc.tags);
  const refused = (keyword: string): boolean =>
    never.some((name) => name === keyword) || (hasStatus && !besideStatus.includes(keyword));
  const said = new Set<string>();
  for (const tag of tags) {
    for (const keyword of keywordsOf(tag).filter(refused)) {
      said.add(keyword);
      reporter.error(tagProblem('schema/tag-type', tag, messageOf(keyword), [fixOf(keyword)]), []);
    }
  }
  for (const keyword of Object.keys(schema)) {
    if (!refused(keyword) || said.has(keyword)) continue;
    const at = { file: node.getSourceFile(), position: node.name.getStart() };
    reporter.error(
      { code: 'schema/tag-type', message: messageOf(keyword), fix: [fixOf(keyword)], at },
      shape.docs,
    );
  }
}

/** Returns the keywords that a tag sets. For an unreadable tag the list is empty, because its problems are reported elsewhere. */
function keywordsOf(tag: Tag): readonly string[] {
  if (tag.name === 'k8s') {
    const parsed = parseK8s(tag.text);
    return 'value' in parsed ? Object.keys(parsed.value) : [];
  }
  return schemaTagKeywords.has(tag.name) ? [keywordOf[tag.name] ?? tag.name] : [];
}

const schemaTagKeywords = new Set([
  ...never,
  ...Object.keys(keywordOf),
  'minProperties',
  'maxProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
]);

function messageOf(keyword: string): string {
  const where = never.some((name) => name === keyword) ? '' : ' of a kind with a status subresource';
  return `${keyword} is not allowed at the root of the schema${where}`;
}

function fixOf(keyword: string): string {
  if (never.some((name) => name === keyword)) return 'remove it, or put it on the field that it is for';
  return 'put it on the field that it is for, write a CEL rule, or set `status: false` in defineResource';
}
