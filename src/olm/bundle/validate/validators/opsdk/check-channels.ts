import { annotationIn, annotationKeys } from '../../annotations.ts';
import type { Check } from '../../types.ts';

const usual = ['candidate', 'fast', 'stable'];

/** Names of channels by convention. Source: operator-framework/api `good_practices.go` `validateHubChannels`, which operator-sdk never reaches. */
export const checkChannelNames: Check<'opsdk'> = ({ annotations: file }, { warn }, { selected }) => {
  // Who asks for conventions hears of them.
  if (file === undefined || !selected.has('good-practices')) return;
  for (const key of [annotationKeys.channels, annotationKeys.defaultChannel]) {
    const names = (annotationIn(file, key) ?? '').split(',').map((name) => name.trim());
    const odd = names.filter((name) => name !== '' && !usual.some((prefix) => name.startsWith(prefix)));
    if (odd.length === 0) continue;
    const message = `the names of channels begin with ${usual.join(', ')} by convention, got ${odd.join(', ')}`;
    warn(
      'bundle/channel-name',
      [file, ['annotations', key]],
      message,
      'rename it, or keep it if users know it',
    );
    return;
  }
};
