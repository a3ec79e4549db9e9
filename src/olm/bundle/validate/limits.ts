/** Most files of a bundle's folder: one with more is not a bundle, but a folder that was named by mistake. */
export const MOST_FILES = 2000;

/** The API server takes requests up to this size, so no object can be larger, in bytes. Source: apiserver `MaxRequestBodyBytes`. */
export const MOST_OF_OBJECT = 3 * 1024 * 1024;
