import type { TemplateModel } from '../engine.ts';
import { renderSet } from '../template-tree.ts';

/** Renders a new `ci.yaml`, the settings of an operator in the catalogue of OperatorHub.io. */
export async function ciConfigText(reviewers: readonly string[], projectRoot?: string): Promise<string> {
  const [file] = await renderSet('publish', publishModel(reviewers), {}, projectRoot);
  if (file === undefined) throw new TypeError('the set of templates for publishing is empty');
  return file.content;
}

/** Returns the variables for the templates of the set `publish`. */
export function publishModel(reviewers: readonly string[]): TemplateModel {
  return { hasReviewers: reviewers.length > 0, reviewers: reviewers.map((name) => ({ name })) };
}
