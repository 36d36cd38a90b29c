/** A span of time as people write it: `0.8 s`, `12 s`, `3 min 20 s`, `1 h 5 min`. */
export function showDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 0.0995) return `${Math.max(1, Math.round(milliseconds))} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
