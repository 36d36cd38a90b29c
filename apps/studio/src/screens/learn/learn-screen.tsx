import { lazy } from "../../ui/lazy.js";

/** The lectures as stories; their text and figures are loaded when they are first read. */
export const LearnScreen = lazy(async () => (await import("./stories-view.js")).StoriesView);
