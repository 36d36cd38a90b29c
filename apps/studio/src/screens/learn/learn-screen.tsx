import { Lazy } from "../../ui/lazy.js";

const load = async () => (await import("./stories-view.js")).StoriesView;

/** The lectures as stories; their text and figures are loaded when they are first read. */
export function LearnScreen() {
  return <Lazy load={load} title="Learn" />;
}
