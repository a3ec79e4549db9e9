import { reportAnnotationNames } from '../../annotation-names.ts';
import type { Check } from '../../types.ts';

/** Source: operator-framework/api `annotations.go` `ValidateAnnotationNames`. */
export const checkAnnotationNames: Check<'csv'> = ({ csv }, report) => {
  if (csv !== undefined) reportAnnotationNames(csv, report);
};
