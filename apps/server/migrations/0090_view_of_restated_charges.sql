-- Two views bore the number 27.
alter view inv_i27_restated_at_most_once rename to inv_i30_restated_at_most_once;
