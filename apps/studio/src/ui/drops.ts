import { signal } from "@preact/signals";

/** Whether a file is held over the page. */
export const dragging = signal(false);

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;

/** A file may be dropped anywhere: without this, the browser would leave the page to show it. Until the returned function is called. */
export function listenToDrops(open: (file: File, others: number) => void): () => void {
  const over = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    dragging.value = true;
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) dragging.value = false;
  };
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    dragging.value = false;
    const files = event.dataTransfer!.files;
    if (files[0] !== undefined) open(files[0], files.length - 1);
  };
  addEventListener("dragover", over);
  addEventListener("dragleave", leave);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("dragleave", leave);
    removeEventListener("drop", drop);
  };
}
