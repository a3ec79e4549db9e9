import type { Check } from '../types.ts';
import { reportRemovedApis } from '../removed-apis.ts';
import { reportCapabilities, reportCategories } from '../standard-values.ts';
import { reportAnnotationNames } from '../annotations.ts';
import { reportHubMetadata } from '../hub-metadata.ts';

/** Source: operator-framework/api `operatorhubv2.go`. */
export const checkOperatorHubV2: Check<'operatorhubv2'> = (bundle, report, settings) => {
  if (bundle.csv === undefined) return;
  reportHubMetadata(bundle.csv, report);
  reportRemovedApis(bundle, report, settings);
};

/** Source: operator-framework/api `operatorhub.go`. */
export const checkOperatorHub: Check<'operatorhub'> = async (bundle, report, settings) => {
  const { csv, dir } = bundle;
  if (csv !== undefined) {
    reportHubMetadata(csv, report);
    reportCapabilities(csv, report);
    await reportCategories(csv, report, settings);
    reportRemovedApis(bundle, report, settings);
  }
  const message = 'the validator operatorhub is deprecated';
  report.warn(
    'bundle/deprecated-validator',
    { file: dir },
    message,
    'select operatorhubv2, capabilities and categories',
  );
};

const apiVersions = ['operators.coreos.com/v1', 'operators.coreos.com/v1alpha2'];

/** Source: operator-framework/api `operatorgroup.go`. */
export const checkOperatorGroups: Check<'operatorgroup'> = ({ objects }, report) => {
  for (const object of objects)
    if (object.kind === 'OperatorGroup' && apiVersions.includes(object.apiVersion))
      reportAnnotationNames(object, report);
};

/** Source: operator-framework/api `standardcategories.go`. */
export const checkCategories: Check<'categories'> = async ({ csv }, report, settings) => {
  if (csv !== undefined) await reportCategories(csv, report, settings);
};

/** Source: operator-framework/api `standardcapabilities.go`. */
export const checkCapabilities: Check<'capabilities'> = ({ csv }, report) => {
  if (csv !== undefined) reportCapabilities(csv, report);
};

/** Source: operator-framework/api `removed_apis.go` `AlphaDeprecatedAPIsValidator`. */
export const checkDeprecatedApis: Check<'alpha-deprecated-apis'> = (bundle, report, settings) =>
  reportRemovedApis(bundle, report, settings);
