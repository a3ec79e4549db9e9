/**
 * Pages on this machine, for the browser of the user who started the command. They are served only on the loopback interface, only to
 * clients that have their secret address, and without any content from other servers.
 */
export {
  type EventStream,
  PageServer,
  type PageAction,
  type PageAnswer,
  type PageRequest,
  type PageServerOptions,
  pageFiles,
  type PageFile,
} from './page-server.ts';
export { safeMarkdown } from './safe-markdown.ts';
export { webAddress } from './web-address.ts';
