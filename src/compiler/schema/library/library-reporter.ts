import type { Reporter } from '../reporter.ts';
import type { Problem } from '../shape.ts';

/** Fixes in place of those for interfaces where a library writes the schema: there are no tags and no utility types. */
const fixes: Readonly<Partial<Record<Problem['code'], readonly string[]>>> = {
  'schema/map-of-objects': [
    "make it a list of objects with the field `name`, and `.meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] })`",
  ],
  'schema/unit': [
    'name it after its unit, such as timeoutSeconds',
    "or make it a duration: `z.string().meta({ format: 'duration' })`",
  ],
};

/** Errors, and warnings, of one schema: what a module gives out may be wrong without end. */
const mostProblems = 1000;
/** Characters of a message, which may quote the schema. */
const longestMessage = 2000;

/** A reporter for the checks that schemas of interfaces and of libraries have in common. */
export function libraryReporter(reporter: Reporter): Reporter {
  let [errors, warnings] = [0, 0];
  const adapted = (problem: Problem): Problem => ({
    ...problem,
    message:
      problem.message.length > longestMessage
        ? `${problem.message.slice(0, longestMessage)}…`
        : problem.message,
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
    error(problem, docTrail) {
      if ((errors += 1) <= mostProblems) reporter.error(adapted(problem), docTrail);
    },
    warn(problem, docTrail) {
      if ((warnings += 1) <= mostProblems) reporter.warn(adapted(problem), docTrail);
    },
  };
}
