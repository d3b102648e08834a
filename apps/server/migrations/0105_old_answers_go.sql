-- Answers to "did this help?" are kept for thirteen months, so that a month can be held against that of the year before.
grant delete on article_answer to kvitt_app;
create index article_answer_day on article_answer (day);
