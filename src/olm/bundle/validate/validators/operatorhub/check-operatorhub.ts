import { reportCapabilities } from '../../capability-level.ts';
import { reportCategories } from '../../categories.ts';
import { reportHubMetadata } from '../../hub-metadata.ts';
import { reportRemovedApis } from '../../removed-apis.ts';
import type { Check } from '../../types.ts';

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
