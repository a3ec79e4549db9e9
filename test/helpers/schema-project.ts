import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, repository, type ProjectFolder } from '../unit/compiler/manifests/project-folder.ts';

/** The schema libraries that this repository has installed. */
const libraries = ['zod', 'valibot', '@valibot/to-json-schema', 'arktype', '@ark', 'arkregex'];

/** A project with a kind whose fields the export `schema` of `src/api/sample.schema.ts` describes, and with the schema libraries. */
export function schemaProject(schema: string, files: Record<string, string> = {}): ProjectFolder {
  const folder = projectFolder({
    'src/api/sample.ts': `import { defineResource, type ObjectOf } from 'opsdk';
import { schema } from './sample.schema.ts';
export const Sample = defineResource({ group: 'example.com', version: 'v1', kind: 'Sample', schema });
export type Sample = ObjectOf<typeof Sample>;
`,
    'src/api/sample.schema.ts': schema,
    // The folder of the scope.
    'node_modules/@valibot/.keep': '',
    ...files,
  });
  for (const library of libraries)
    symlinkSync(join(repository, 'node_modules', library), join(folder.dir, 'node_modules', library));
  return folder;
}
