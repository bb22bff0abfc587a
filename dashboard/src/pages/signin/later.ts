/** Whether the person has put off choosing a factor: until this tab is closed. The shell shows the sign-in page while it is not. */
const NAME = 'bursar-enrol-later';
export const enrolLater = (): void => sessionStorage.setItem(NAME, '1');
export const isEnrolPutOff = (): boolean => sessionStorage.getItem(NAME) !== null;
