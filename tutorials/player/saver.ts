/** Does the reader's browser ask for as little to be sent as can be? */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
