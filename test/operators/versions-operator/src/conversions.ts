import { defineConversion } from 'opsdk';
import { OldPage, OldSite, Page, Site } from './api.ts';

export const siteConversion = defineConversion(Site).spoke(OldSite, {
  to: ({ spec }) => ({ spec: { replicas: spec.size, image: undefined } }),
  from: ({ spec }) => ({ spec: { size: spec.replicas } }),
});

export const pageConversion = defineConversion(Page).spoke(OldPage, {
  to: ({ spec }) => ({ spec: { replicas: spec.size, image: undefined } }),
  from: ({ spec }) => ({ spec: { size: spec.replicas } }),
});
