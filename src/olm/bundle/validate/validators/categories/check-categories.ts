import { reportCategories } from '../../categories.ts';
import type { Check } from '../../types.ts';

/** Source: operator-framework/api `standardcategories.go`. */
export const checkCategories: Check<'categories'> = async ({ csv }, report, settings) => {
  if (csv !== undefined) await reportCategories(csv, report, settings);
};
