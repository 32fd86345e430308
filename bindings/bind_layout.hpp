// The Python class Layout: an immutable value, every method a function of core/layout.
#pragma once

#include <nanobind/nanobind.h>

#include "layout/layout.hpp"

using LayoutClass = nanobind::class_<strided::Layout>;

void bind_layout(nanobind::module_& m);
// Called by bind_layout.
void bind_layout_views(LayoutClass& layout);
