// Distinct elements: runs of equal rows in a sorted list of rows, which `unique` is made of.
//
// A row is `width` packed elements; rows lie one after the other. Elements are equal as by ==: 0.0 and
// -0.0 are, a NaN is equal to nothing.
#pragma once

#include "plan/operand.hpp"

namespace strided::kernels::sort {

struct RowList {
  DType dtype;
  const std::byte* rows;
  Index count;
  Index width;
  const std::int64_t* order;  // which row comes when; null for as they lie
};

// Writes the stable order of rows, compared element by element from the first; NaN comes last.
void order_rows(const RowList& list, std::int64_t* order);

Index count_runs(const RowList& list);
// Writes where each of `runs` runs starts, and where the last one ends.
void write_run_starts(const RowList& list, Index runs, std::int64_t* starts);

// inverse[order[i]] = the number of the run that i belongs to; without an order inverse[i].
void write_run_numbers(const std::int64_t* starts, Index runs, const std::int64_t* order,
                       std::int64_t* inverse);

}  // namespace strided::kernels::sort
