import type { Reporter } from '../reporter.ts';
import type { Problem } from '../shape.ts';

/** What the advice about interfaces is where a library writes the schema: there are no tags and no utility types. */
const fixes: Readonly<Partial<Record<Problem['code'], readonly string[]>>> = {
  'schema/map-of-objects': [
    "make it a list of objects with the field `name`, and `.meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })`",
  ],
  'schema/unit': [
    'name it after its unit, such as timeoutSeconds',
    "or make it a duration: `z.string().meta({ format: 'duration' })`",
  ],
};

/** A reporter for the checks that schemas of interfaces and of libraries have in common. */
export function libraryReporter(reporter: Reporter): Reporter {
  const adapted = (problem: Problem): Problem => ({
    ...problem,
    fix:
      fixes[problem.code] ??
      problem.fix.map((fix) =>
        fix
          .replace(/`@(?:pattern )?/g, '`')
          .replace('type, doc comment and tags', 'schema and description')
          .replace('no comment', 'no description'),
      ),
  });
  return {
    ...reporter,
    error: (problem, docTrail) => reporter.error(adapted(problem), docTrail),
    warn: (problem, docTrail) => reporter.warn(adapted(problem), docTrail),
  };
}
