#include "trial/json_view.h"

#include <cmath>

#include "base/out.h"

namespace dtp::trial {

using lang::Expr;
using lang::ExprKind;

JsonView JsonView::operator[](std::string_view key) const {
  JsonView below(nullptr, *names_, *source_,
                 path_.empty() ? std::string(key) : path_ + "." + std::string(key));
  below.above_ = at();
  below.above_.end = std::min(below.above_.end, below.above_.begin + 1);
  if (!value_ || value_->kind != ExprKind::record) return below;
  for (const lang::FieldDef& f : value_->body->fields)
    if (names_->text(f.name) == key) below.value_ = f.value;
  return below;
}

void JsonView::wrong(const char* wanted) const {
  Span span = at();
  std::string what = value_ ? format("`{}` is to be {}", path_, wanted)
                            : format("`{}` is missing: {} is needed", path_, wanted);
  source_->sink.add(source_->broken(span.begin, span.end, std::move(what)));
}

std::optional<double> JsonView::number() const {
  if (value_ && value_->kind == ExprKind::number) {
    const lang::Literal& l = *value_->literal;
    double v =
        l.exact ? static_cast<double>(l.numerator) / static_cast<double>(l.denominator) : l.value;
    if (std::isfinite(v) && v >= 0) return v;
  }
  wrong("a number of 0 or more");
  return std::nullopt;
}

std::optional<int64_t> JsonView::whole() const {
  if (value_ && value_->kind == ExprKind::number) {
    const lang::Literal& l = *value_->literal;
    if (l.exact && l.denominator == 1 && l.numerator >= 0 && l.numerator <= INT64_MAX)
      return static_cast<int64_t>(l.numerator);
  }
  wrong("a whole number of 0 or more");
  return std::nullopt;
}

std::optional<std::string> JsonView::text() const {
  if (value_ && value_->kind == ExprKind::string)
    return std::string(value_->pieces.empty() ? "" : value_->pieces.front().text);
  wrong("a text");
  return std::nullopt;
}

std::optional<bool> JsonView::boolean() const {
  if (value_ && value_->kind == ExprKind::boolean) return value_->flag;
  wrong("true or false");
  return std::nullopt;
}

}  // namespace dtp::trial
