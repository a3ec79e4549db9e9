import { innerNodes, type SchemaNode } from '../schema-node.ts';
import type { Reporter } from '../reporter.ts';
import {
  celCostLint,
  noEffectLint,
  boundsLint,
  unitLint,
  requiredLint,
  patternLint,
  mapLint,
  type LintNode,
} from './lints.ts';

const lints = [boundsLint, requiredLint, unitLint, mapLint, noEffectLint, patternLint, celCostLint];

/**
 * Reports warnings about the user's types if the API server reports no error for them, or reports it late. Skips parts whose schema comes
 * from a table of known types, and parts that tags define completely.
 */
export function lintSchema(root: SchemaNode, reporter: Reporter): void {
  visit({ node: root, name: undefined, around: [] });

  function visit(lintNode: LintNode): void {
    const { node } = lintNode;
    if (node.origin === undefined) return;
    for (const lint of lints) {
      for (const { at, problem } of lint(lintNode)) {
        const place = (at ?? node).origin;
        if (place === undefined) continue;
        reporter.warn({ ...problem, message: `${place.label}: ${problem.message}` }, place.docTrail);
      }
    }
    const around = [...lintNode.around, node];
    for (const part of innerNodes(node)) visit({ ...part, around });
  }
}
