-- Which letters an errand has sent: an errand whose letter is obsolete when its turn comes sends none and is done.
alter table errands add column letters_sent text[];
comment on column errands.letters_sent is 'Ids of the letters that were handed to the mail provider; null for other errands, and for those of releases that did not record it';
