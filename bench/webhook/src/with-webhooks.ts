import { run } from './operator.ts';
import { siteConversion } from './site-conversion.ts';
import { siteWebhook } from './site-webhook.ts';

await run([siteWebhook, siteConversion]);
