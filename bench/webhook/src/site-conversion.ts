import { defineConversion } from 'opsdk';
import { Site, SiteV1alpha1 } from './site.ts';

/** Does what ../controller-runtime/conversion.go does. */
export const siteConversion = defineConversion(Site).spoke(SiteV1alpha1, {
  to({ spec: { image, replicas, logLevel, env, routes }, status }) {
    const [repository = '', tag = ''] = image.split(':');
    return { spec: { image: { repository, tag }, replicas, logLevel, env, routes }, status };
  },
  from: ({ spec: { image, replicas, logLevel, env, routes }, status }) => ({
    spec: { image: `${image.repository}:${image.tag}`, replicas, logLevel, env, routes },
    status,
  }),
});
