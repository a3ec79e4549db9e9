import type ts from 'typescript';
import type { Finding } from '../../base/errors/index.ts';
import { readerOf } from './engine/index.ts';
import {
  isProjectFile,
  isSchemaExport,
  placeInProject,
  placeOf,
  type SchemaExport,
  type SourceProgram,
} from '../source/index.ts';
import { kindDescriptors } from './descriptors/kind-descriptors.ts';
import { blame, finalCheck } from './final-check.ts';
import { guard } from './guard/guard.ts';
import { generateLibrarySchema } from './library/library-schema.ts';
import { lintSchema } from './lints/index.ts';
import { nothingGenerated, type GeneratedSchema, type SchemaOptions } from './generated-schema.ts';
import { createSchemaReporter, type Reporter } from './reporter.ts';
import { checkRootKeywords } from './root-keywords.ts';
import { rootSchema } from './root-schema.ts';
import { tooManyParts } from './schema-size.ts';
import type { Shape } from './shape.ts';
import { schemaOfShape } from './structural.ts';

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
