import { defineResource, type CustomResource, type Int32 } from 'opsdk';

interface OldSpec {
  size?: Int32;
}
interface Spec {
  replicas?: Int32;
  image?: string;
}

export interface OldSite extends CustomResource<'web.example.com/v1alpha1', 'Site'> {
  spec: OldSpec;
}
export const OldSite = defineResource<OldSite>({
  group: 'web.example.com',
  version: 'v1alpha1',
  kind: 'Site',
});

/** Site has webhooks for this version only. */
export interface Site extends CustomResource<'web.example.com/v1', 'Site'> {
  spec: Spec;
}
export const Site = defineResource<Site>({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Site',
  storage: true,
});

export interface OldPage extends CustomResource<'web.example.com/v1alpha1', 'Page'> {
  spec: OldSpec;
}
export const OldPage = defineResource<OldPage>({
  group: 'web.example.com',
  version: 'v1alpha1',
  kind: 'Page',
});

/** Page has webhooks for both versions. */
export interface Page extends CustomResource<'web.example.com/v1', 'Page'> {
  spec: Spec;
}
export const Page = defineResource<Page>({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Page',
  storage: true,
});
